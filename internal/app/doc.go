// Package app is the only place where adapters meet.
//
// Everything below knows interfaces; here they are given what implements them:
// the pipeline its resolvers, its diff, its outlines. Each constructor is
// called by name, so that reading this package tells what the program can do.
// Nothing is opened, started or compiled before it is needed.
package app
