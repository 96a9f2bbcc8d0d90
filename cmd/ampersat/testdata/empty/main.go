// An empty program: what a start costs anybody.
package main

func main() {}
