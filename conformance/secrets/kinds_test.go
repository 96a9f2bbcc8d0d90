package secrets

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	crand "crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"github.com/zricethezav/gitleaks/v8/detect"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/access"
)

// both lets both programs look at a file. Ours are counted only where they
// overlap something of theirs.
func both(judge *detect.Detector, name, text, rule string) (theirs, ours int) {
	found := access.ScanString(name, text)
	for _, finding := range judge.Detect(fragment{Raw: text, FilePath: name}) {
		if finding.RuleID != rule {
			continue
		}
		theirs++
		if finding.Secret == "" && len(found) > 0 || finding.Secret != "" && overlap(found, text, finding.Secret) {
			ours++
		}
	}
	return theirs, ours
}

// Random values under names that sound secret: what gitleaks calls generic.
func TestRecallOnGenericKeys(t *testing.T) {
	judge := detector(t)
	m := maker{rand.New(rand.NewPCG(4, 4)), 8}
	shapes := []struct{ name, expr string }{
		{"base62", `[A-Za-z0-9]{32}`}, {"hex", `[a-f0-9]{40}`}, {"base36", `[a-z0-9]{32}`}, {"base64", `[A-Za-z0-9+/]{40}`}, {"short", `[A-Za-z0-9]{20}`}, {"dashed", `[a-z0-9]{8}-[a-z0-9]{16}`},
	}
	names := []string{"api_key", "apiKey", "API_KEY", "secret", "client_secret", "AUTH_TOKEN", "accessToken", "db_password", "encryption_key", "app.secret-key"}
	theirs, ours := 0, 0
	for _, shape := range shapes {
		a, b := 0, 0
		for i := range 270 {
			value, err := m.secret(shape.expr)
			if err != nil {
				t.Fatal(err)
			}
			place := placements[i%len(placements)]
			text := place.before + strings.NewReplacer("NAME", names[i%len(names)], "SECRET", value).Replace(place.line) + place.after
			x, y := both(judge, place.file, text, "generic-api-key")
			a, b = a+x, b+y
		}
		t.Logf("%-7s %d of %d (%.1f %%)", shape.name, b, a, percent(b, a))
		theirs, ours = theirs+a, ours+b
	}
	t.Logf("all: %d of %d (%.1f %%)", ours, theirs, percent(ours, theirs))
	if theirs < 500 || percent(ours, theirs) < 95 {
		t.Errorf("%d of %d (%.1f %%), want 95", ours, theirs, percent(ours, theirs))
	}
}

func TestPrivateKeysMadeHere(t *testing.T) {
	judge := detector(t)
	_, edwards, err := ed25519.GenerateKey(crand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	curve, err := ecdsa.GenerateKey(elliptic.P256(), crand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, _ := x509.MarshalPKCS8PrivateKey(edwards)
	sec1, _ := x509.MarshalECPrivateKey(curve)
	for label, der := range map[string][]byte{"PRIVATE KEY": pkcs8, "EC PRIVATE KEY": sec1} {
		block := string(pem.EncodeToMemory(&pem.Block{Type: label, Bytes: der}))
		for name, text := range map[string]string{
			"a.pem": block, "a.go": "package a\n\nconst k = `" + block + "`\n",
			"account.json": `{"type": "service_account", "private_key": "` + strings.ReplaceAll(block, "\n", `\n`) + `"}`,
		} {
			if theirs, ours := both(judge, name, text, "private-key"); theirs != 1 || ours != 1 {
				t.Errorf("%s in %s: gitleaks %d, ours %d", label, name, theirs, ours)
			}
		}
	}
}

func TestKindsThatNeedAFileOfTheirOwn(t *testing.T) {
	judge := detector(t)
	m := maker{rand.New(rand.NewPCG(6, 6)), 8}
	password, err := m.secret(`[A-Za-z]{4}[0-9]{3}[A-Za-z]{5}`)
	if err != nil {
		t.Fatal(err)
	}
	token, err := m.secret(`[A-Za-z0-9]{40}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ rule, name, text string }{
		{"kubernetes-secret-yaml", "secret.yaml", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque\ndata:\n  password: " + base64.StdEncoding.EncodeToString([]byte(password)) + "\n"},
		{"pkcs12-file", "certs/server.p12", "\x30\x82"},
		{"pkcs12-file", "certs/server.pfx", "\x30\x82"},
		{"curl-auth-user", "deploy.sh", "curl -u admin:" + password + " https://host/api\n"},
		{"curl-auth-user", "deploy.sh", "curl -X POST \\\n  --user \"admin:" + password + "\" https://host/api\n"},
		{"curl-auth-header", "deploy.sh", `curl -H "Authorization: Bearer ` + token + `" https://host/api` + "\n"},
	} {
		if theirs, ours := both(judge, c.name, c.text, c.rule); theirs != 1 || ours != 1 {
			t.Errorf("%s: gitleaks %d, ours %d", c.rule, theirs, ours)
		}
	}
}

// On ordinary code we raise no more alarms than gitleaks does.
func TestPrecisionOnOrdinaryCode(t *testing.T) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("go env GOROOT: ", err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "src")
	judge := detector(t)
	files, size, theirs, ours := 0, 0, 0, 0
	for _, folder := range []string{"net", "encoding", "os", "text", "html", "go", "database", "mime", "log"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || filepath.Ext(path) != ".go" {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			files, size = files+1, size+len(data)
			theirs += len(judge.Detect(fragment{Raw: string(data), FilePath: path}))
			ours += len(access.Scan(path, data))
			return nil
		})
		if err != nil {
			t.Skip("no source of the standard library: ", err)
		}
	}
	t.Logf("%d files, %d KB: gitleaks raises %d alarms, we raise %d", files, size>>10, theirs, ours)
	if ours > theirs || ours > 2 {
		t.Errorf("%d alarms, gitleaks %d", ours, theirs)
	}
}
