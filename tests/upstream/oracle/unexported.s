// This file lets unexported.go declare functions without a body.
