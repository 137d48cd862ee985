package reports

import (
	"strings"
	"testing"
)

// TestAReportAboutClientsRunsNothingAgain looks for lines that run specs: what is in it are calls of somebody else.
func TestAReportAboutClientsRunsNothingAgain(t *testing.T) {
	t.Parallel()
	report := failingSample()
	report.Tool.Name = ClientTool
	for _, format := range Formats() {
		var text strings.Builder
		if err := format.Write(&text, report); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text.String(), "shopcheck run") || strings.Contains(text.String(), "The target breaks") {
			t.Errorf("%s tells to run specs again, or speaks of a target", format.Name)
		}
	}
}
