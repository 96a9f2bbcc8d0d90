// Package conformance holds our code against programs that others wrote.
//
// It is a module of its own, so that what serves only as a judge (tokenizers,
// secret scanners, provider SDKs) never enters the product's dependencies.
package conformance
