package web

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
)

// failed is the miss for something that is there, or may be, and cannot be had.
func failed(format string, args ...any) *ampersat.Miss {
	return &ampersat.Miss{Outcome: ampersat.Failed, Reason: fmt.Sprintf(format, args...)}
}

// notPublic is the error for a connection that was not made.
type notPublic struct{ address string }

func (e *notPublic) Error() string { return e.address + " is not public" }

// explain says what an error in fetching means. Redirected says that the
// address is not the one that was mentioned.
func (r *Resolver) explain(at *url.URL, redirected bool, err error) error {
	leads := ""
	if redirected {
		leads = "it leads to " + at.Redacted() + "; "
	}
	var refused *notPublic
	if errors.As(err, &refused) {
		host, _, splitErr := net.SplitHostPort(refused.address)
		if splitErr != nil {
			host = refused.address
		}
		return access.RefuseURL(at, leads+"the address "+host+" is private, local or otherwise not public")
	}
	if denied, ok := access.IsDenied(err); ok {
		denied.Detail = leads + denied.Detail
		return denied
	}
	miss := r.reason(at, err)
	miss.Reason = leads + miss.Reason
	return miss
}

// reason is the miss for an error of the network.
func (r *Resolver) reason(at *url.URL, err error) *ampersat.Miss {
	var miss *ampersat.Miss
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	var timeout net.Error
	switch {
	case errors.As(err, &miss):
		return miss
	case errors.Is(err, context.DeadlineExceeded):
		miss = failed("it took longer than %v", r.limits.Time)
	case errors.As(err, &name) && name.IsNotFound:
		miss = &ampersat.Miss{Outcome: ampersat.Missing, Reason: "there is no host called " + at.Hostname()}
	case errors.As(err, &name):
		miss = failed("the name %s could not be looked up: %s", at.Hostname(), name.Err)
	case errors.As(err, &certificate):
		miss = failed("the server cannot be trusted to be %s: %v", at.Hostname(), certificate.Err)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		miss = failed("the answer ended early")
	case errors.As(err, &timeout) && timeout.Timeout():
		miss = failed("the server does not answer")
	default:
		miss = failed("it could not be fetched: %v", err)
	}
	miss.Err = err
	return miss
}

// miss is the error of a mention: that of the context if the caller's has
// ended.
func (r *Resolver) miss(ctx context.Context, m mention.URL, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if _, ok := access.IsDenied(err); ok {
		return err
	}
	var miss *ampersat.Miss
	if !errors.As(err, &miss) {
		if miss = failed("%v", err); errors.Is(err, context.DeadlineExceeded) {
			miss.Reason = fmt.Sprintf("it took longer than %v", r.limits.Time)
		}
		miss.Err = err
	}
	miss.Mention = m
	return miss
}
