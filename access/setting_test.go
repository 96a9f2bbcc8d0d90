package access

import (
	"strings"
	"testing"
)

// In files of settings a value stands without quotes.
func TestPasswordsInSettings(t *testing.T) {
	const secret = "kR7wQz2Lm9Xv"
	for name, before := range map[string]string{
		"app.properties":           "server.port=8080\nspring.datasource.password=",
		"colon.properties":         "db.password: ",
		"/p/application.yml":       "spring:\n  datasource:\n    password: ",
		"values.YAML":              "  passwd:   ",
		"flow.yaml":                "db: {user: app, password: ",
		"docker-compose.yml":       "    environment:\n      - DB_PASSWORD=",
		"php.ini":                  "[mysql]\npassword = ",
		"redis.conf":               "requirepassword: ",
		"setup.cfg":                "PWD=",
		"deploy/.env.example":      "DB_PASSWORD=",
		".envrc":                   "export PGPASSWORD=",
		"Dockerfile":               "FROM x\nENV DB_PASSWORD=",
		"prod.dockerfile":          "ENV A=1 DB_PASSWORD=",
		"settings.xml":             "<server>\n  <password>",
		"attribute.xml":            `<login user="a" password="`,
		"web.config":               `<add connectionString="Server=db;User Id=sa;Password=`,
		"appsettings.json":         `"Default": "Server=db;Database=x;User Id=sa; Pwd=`,
		"notes.txt":                "jdbc:mysql://db/app?user=a&password=",
		"main.go":                  `const dsn = "jdbc:postgresql://db/app?password=`,
		"passphrase.ini":           "ssl_passphrase=",
		"numbered.ini":             "password_2=",
		"quoted.yml":               `password: "`,
		`C:\site\conf\quoted2.cnf`: `password='`,
	} {
		for _, after := range []string{"", "\n", "\r\n", " # why\n", ";\n", "</password>", "&ssl=true", `"`, `', x`, ", a: 1}\n", "}\n"} {
			text := before + secret + after
			quoted := strings.HasSuffix(before, `"`) || strings.HasSuffix(before, "'")
			if quoted && !strings.HasPrefix(after, before[len(before)-1:]) {
				continue
			}
			if strings.HasSuffix(strings.TrimSpace(before), ":") && after != "" && !strings.Contains("\r\n ,}", after[:1]) {
				continue // it goes on
			}
			found := ScanString(name, text)
			if len(found) != 1 || found[0].Rule != "generic-secret" || text[found[0].Start:found[0].End] != secret {
				t.Errorf("%s: %q: found %v", name, text, found)
			}
		}
	}
}

func TestPasswordsThatSomebodyChose(t *testing.T) {
	for _, value := range []string{"kR7wQz2L", "Tr0ub4dor&3", "g7Jq2mWz9x", "x9#Lp2!vQ8", "9f8e7d6c5b4a", "Xk2-9vQ-7mT", "aB3$dE6%gH9^", "q8w.7eRt.2yU1i"} {
		if found := ScanString("a.ini", "password="+value+"\n"); len(found) != 1 {
			t.Errorf("%q: found %v", value, found)
		}
	}
	for _, value := range []string{
		"changeme", "changeme1", "xxx", "xxxxxxxxxxxx", "hunter2", "password", "Password123", "postgres", "postgres123", "Summer2024", "welcome1", "s3cr3t-p4ss", "secret12x",
		"${DB_PASSWORD}", "$DB_PASSWORD2x", "{{ .Values.db1Password }}", "${{ secrets.DB_1 }}", "<your password>", "<DB_PASS1>", "%env(DB_PASS1)%", "ENC(G6N7kR7wQz2Lm9Xv)",
		"ENC[AES256_GCM,data:a1B2]", "!vault |", "*db1Password2x", "&a1B2c3D4", "/run/secrets/db1_pw2", "file:///run/a1b2c3", "~/a1B2c3D4", "true", "null", "required", "my-database-host-1",
		"org.example1.crypto2.Encoder3", "v1.2.3-rc1", "2024-01-05", "12345678", "1234567890", "P4ssw0rt", "Mot de passe", "Das P1n2c3o4d5e ist", "abc123def456", "test1A2b3C4", "", "{", "|",
	} {
		for _, line := range []string{"password: ", "password=", "<password>", `password: "`} {
			text := line + value + map[string]string{"<password>": "</password>", `password: "`: `"`}[line] + "\n"
			if found := ScanString("a.yaml", text); len(found) != 0 && !(strings.Contains(value, " ist") && line == "password=") {
				t.Errorf("%q: found %v", text, found)
			}
		}
	}
	// What is about a password is none, and what is no setting may be anything.
	for name, text := range map[string]string{
		"a.yaml": "password-encoder: sHa2v5X6y7\npassword_hash: a1B2c3D4e5\npasswordFile: a1B2c3D4e5\npassword.policy=a1B2c3D4e5\npasswords: a1B2c3D4e5\n",
		"a.go":   "password := a1B2c3D4e5\npassword = a1B2c3D4e5\n",
		"a.js":   "let a={password:a1B2c3D4e5};password = a1B2c3D4e5\n",
		"a.md":   "put password: kR7wQz2Lm9Xv into config.yaml\n",
		"":       "password: kR7wQz2Lm9Xv\n",
	} {
		if found := ScanString(name, text); len(found) != 0 {
			t.Errorf("%s: found %v", name, found)
		}
	}
}
