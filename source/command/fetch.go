package command

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// maxRedirects is how often an address may lead elsewhere.
const maxRedirects = 5

// fetch asks the address about an argument.
func (s Scheme) fetch(ctx context.Context, arg string) (output, error) {
	u, err := s.address(arg)
	if err != nil {
		return output{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return output{}, err
	}
	if s.MIME != "" {
		request.Header.Set("Accept", s.MIME)
	}
	client := &http.Client{Transport: s.Transport, CheckRedirect: func(_ *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects {
			return fmt.Errorf("it leads elsewhere more than %d times", maxRedirects)
		}
		return nil
	}}
	response, err := client.Do(request)
	if err != nil {
		// The address is left out: there may be a key in it.
		if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return output{}, fmt.Errorf("%s cannot be reached: %w", s.Name, err)
	}
	defer response.Body.Close()
	switch code := response.StatusCode; {
	case code == http.StatusNotFound || code == http.StatusGone:
		return output{}, fmt.Errorf("%s: %w (%s)", s.Name, errNothing, response.Status)
	case code < 200 || code > 299:
		return output{}, fmt.Errorf("%s answers %s", s.Name, response.Status)
	}
	out, err := read(response.Body, s.Limit)
	if err != nil {
		return output{}, fmt.Errorf("read the answer of %s: %w", s.Name, err)
	}
	out.mime = response.Header.Get("Content-Type")
	return out, nil
}
