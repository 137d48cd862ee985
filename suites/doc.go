// Package suites is the conformance harness: it runs topics of specs against a target and sums them up in a report.
//
// # From It to the HTML page
//
// One request of a spec crosses each boundary once:
//
//  1. suites/topics: a spec (It) asks for something, such as env.Products.Create. All that it can touch is in package spec.
//  2. suites/spec: Env makes a request of it, and Run.Do sends that by the client.
//  3. suites/client: Client.Do signs and sends it, tries again where that may help, redacts the exchange and gives it to the run,
//     which adds it to the Record of the spec. The answer goes back to the spec.
//  4. suites/expect: on its way Run inspects the answer (InspectAnswer), and the spec expects something of it by matchers, which
//     read the shapes and levels of suites/contract. What deviates becomes a finding, and Run files it in the same Record.
//  5. suites: the runner takes the Record when ginkgo has ended the spec (in a worker it sends it as one line of JSON to the
//     coordinator), drops what other specs have reported already, and judges it: the Record then holds the outcome.
//  6. suites: of all Records and the catalogue coverage makes the outcome of each requirement, and verdict that of the run.
//  7. reports: the Record's reports.Spec is in the Report as it is. WriteFolder makes report.json, junit.xml and index.html of it.
//
// How a topic is written is said in package spec.
//
// # Running
//
// Run builds the tree, looks at the target (preflight), runs the selected specs – in this process or, with Workers, shared out
// among several – and returns the report.
// It may be called any number of times in one process; calls wait for each other, because ginkgo and Gomega keep globals.
package suites
