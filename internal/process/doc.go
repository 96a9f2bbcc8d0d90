// Package process has what every program needs that is started for a mention
// and was written by others: a process group, so that it leaves nothing behind;
// on Linux a word from the kernel if we are killed before we can end it;
// an environment without the keys that are none of its business; the end of what
// it complains about; and its command line as a shell reads it.
package process
