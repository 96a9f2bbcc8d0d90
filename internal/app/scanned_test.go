package app

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/source/fs"
	"github.com/go-json-experiment/json/jsontext"
)

// talkative is a tool of somebody else.
type talkative struct {
	parts []message.Part
	blobs map[blob.Digest][]byte
	err   error
}

func (talkative) Spec() message.ToolSpec                    { return message.ToolSpec{Name: "docs__search"} }
func (talkative) Plan(jsontext.Value) (agent.Action, error) { return agent.Action{}, nil }
func (t talkative) Run(context.Context, agent.Call) (agent.Result, error) {
	return agent.Result{Parts: t.parts, Blobs: t.blobs}, t.err
}

// scannedBy is a tool whose results are looked through as in a project.
func scannedBy(t *testing.T, tool agent.Tool, consent access.Consent) scanned {
	return scanned{tool, consent, fs.New(fs.Config{Dir: t.TempDir()}).Decode}
}

const aToken = "ghp_aB3dE5gH7jaB3dE5gH7jaB3dE5gH7jaB3dE5"

func TestSecretsInTheResultOfSomebodyElsesToolAreWithheld(t *testing.T) {
	secret := aToken
	tool := scannedBy(t, talkative{parts: []message.Part{
		message.Text{Text: "nothing to hide"}, message.Text{Text: "token: " + secret}, message.Context{Names: []string{"x"}, Text: "token: " + secret},
		message.Image{Source: message.Inline("image/png", []byte("\x89PNG\x00"+secret+"\x00"))}, message.Document{Source: message.AtURL("https://example.org/?t=" + secret)},
	}}, new(access.Memory))
	failing := scannedBy(t, talkative{err: errors.New("login with " + secret + " failed")}, new(access.Memory))
	if _, err := failing.Run(context.Background(), agent.Call{}); err == nil || strings.Contains(err.Error(), secret) {
		t.Error(err)
	}
	result, err := tool.Run(context.Background(), agent.Call{})
	if err != nil || !result.Failed || len(result.Parts) != 5 {
		t.Fatalf("%+v %v", result, err)
	}
	if message.Flatten(message.Of(result.Parts[0])) != "nothing to hide" {
		t.Errorf("%+v", result.Parts[0])
	}
	for _, part := range result.Parts[1:] {
		text, ok := part.(message.Text)
		if !ok || strings.Contains(text.Text, secret) || !strings.Contains(text.Text, "withheld") {
			t.Errorf("%+v", part)
		}
	}
}

// packed is a text as pictures and documents hold it, in which no scan finds it.
func packed(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// pictureWith is a picture with a comment.
func pictureWith(t *testing.T, comment string) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, 2, 2))); err != nil {
		t.Fatal(err)
	}
	body := "zTXtComment\x00\x00" + packed(t, comment)
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(body)-4))
	chunk = binary.BigEndian.AppendUint32(append(chunk, body...), crc32.ChecksumIEEE([]byte(body)))
	const header = 8 + 25 // the signature and the first chunk
	return slices.Insert(out.Bytes(), header, chunk...)
}

// pageWith is a document of one page, on which a text stands.
func pageWith(t *testing.T, text string) []byte {
	t.Helper()
	page := packed(t, "BT /F1 12 Tf 72 720 Td ("+text+") Tj ET")
	out := "%PDF-1.4\n"
	var at []int
	for i, object := range []string{
		"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>",
		fmt.Sprintf("<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream", len(page), page),
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
	} {
		at = append(at, len(out))
		out += fmt.Sprintf("%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	table := len(out)
	out += "xref\n0 6\n0000000000 65535 f \n"
	for _, offset := range at {
		out += fmt.Sprintf("%010d 00000 n \n", offset)
	}
	return []byte(out + fmt.Sprintf("trailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", table))
}

// What is packed in a picture or a document is found too. What is withheld is not
// kept either, and what is allowed comes through.
func TestSecretsPackedInTheResultOfSomebodyElsesToolAreWithheld(t *testing.T) {
	part := func(kind string, data []byte) message.Part {
		if kind == "picture" {
			return message.Image{Source: message.InBlob("image/png", blob.Of(data))}
		}
		return message.Document{Source: message.InBlob("application/pdf", blob.Of(data))}
	}
	for kind, with := range map[string]func(*testing.T, string) []byte{"picture": pictureWith, "document": pageWith} {
		t.Run(kind, func(t *testing.T) {
			secret, harmless := with(t, "token="+aToken), with(t, "nothing to hide")
			if bytes.Contains(secret, []byte(aToken)) {
				t.Fatal("it is not packed")
			}
			theirs := talkative{
				parts: []message.Part{part(kind, secret), part(kind, harmless)},
				blobs: map[blob.Digest][]byte{blob.Of(secret): secret, blob.Of(harmless): harmless},
			}
			result, err := scannedBy(t, theirs, new(access.Memory)).Run(t.Context(), agent.Call{})
			if err != nil || !result.Failed || len(result.Parts) != 2 {
				t.Fatalf("%+v %v", result, err)
			}
			if text, ok := result.Parts[0].(message.Text); !ok || strings.Contains(text.Text, aToken) || !strings.Contains(text.Text, "[withheld: ") {
				t.Errorf("%+v", result.Parts[0])
			}
			if !reflect.DeepEqual(result.Parts[1], part(kind, harmless)) {
				t.Errorf("%+v", result.Parts[1])
			}
			if kept := slices.Collect(maps.Keys(result.Blobs)); !slices.Equal(kept, []blob.Digest{blob.Of(harmless)}) {
				t.Errorf("the bytes of %q are kept", kept)
			}
			if len(theirs.blobs) != 2 || !reflect.DeepEqual(theirs.parts[0], part(kind, secret)) {
				t.Error("what the tool holds was changed")
			}

			allowed := new(access.Memory)
			for _, flag := range regexp.MustCompile(`--allow secret:([0-9a-f]+)`).FindAllStringSubmatch(message.Flatten(message.Of(result.Parts[0])), -1) {
				if err := allowed.Allow(access.Secret{ID: flag[1]}); err != nil {
					t.Fatal(err)
				}
			}
			result, err = scannedBy(t, theirs, allowed).Run(t.Context(), agent.Call{})
			if err != nil || result.Failed || !reflect.DeepEqual(result.Parts[0], part(kind, secret)) || len(result.Blobs) != 2 {
				t.Errorf("%+v %v", result, err)
			}
		})
	}
}

// What cannot be looked through is withheld.
func TestBytesThatCannotBeLookedThroughAreWithheld(t *testing.T) {
	data := pictureWith(t, "nothing to hide")
	theirs := talkative{parts: []message.Part{message.Image{Source: message.Inline("image/png", data)}}}
	broken := func(context.Context, string, []byte, int) (ampersat.Content, error) {
		return ampersat.Content{}, errors.New("out of room")
	}
	result, err := scanned{theirs, new(access.Memory), broken}.Run(t.Context(), agent.Call{})
	want := "[withheld: docs__search: it could not be searched for secrets: out of room]"
	if err != nil || !result.Failed || message.Flatten(message.Of(result.Parts...)) != want {
		t.Errorf("%+v %v", result, err)
	}
}
