// Package secrets holds the secret scan against gitleaks.
//
// The test makes tokens from gitleaks' own rules, puts them into files as
// people write them, lets both programs look, and counts how much of what
// gitleaks finds we find too, rule by rule. Rules that we leave out on purpose
// are listed with the reason. Nothing that looks like a token is stored: all of
// it is made while the test runs.
package secrets
