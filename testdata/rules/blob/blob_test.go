package blob

func init() {} // a test may
