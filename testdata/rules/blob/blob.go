package blob

func init() {}

type store struct{}

func (store) init() {}
