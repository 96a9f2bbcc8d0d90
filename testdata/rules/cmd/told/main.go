// Command told says what it is.
package main

func main() {}
