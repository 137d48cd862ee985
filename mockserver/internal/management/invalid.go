package management

import (
	"fmt"

	"shopcheck/mockserver/internal/rest"
)

// invalid is the answer to a value that no schema can check: one that refers to something that is not there.
func invalid(param, format string, args ...any) error {
	return rest.InvalidParams(rest.Invalid{Param: param, Code: "rest_invalid_param", Reason: fmt.Sprintf(format, args...)})
}
