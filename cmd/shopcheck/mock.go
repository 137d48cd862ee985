package main

// The target of a run without --target: the reference shop, in this process.

import (
	"shopcheck/fixtures/dialects"
	"shopcheck/mockserver"
	"shopcheck/suites/contract"
	"shopcheck/suites/profile"
)

// startMock starts the reference shop on a free loopback port. Its stop function closes it. Nobody could read what it would note of its
// clients.
func startMock() (url string, stop func() error, err error) {
	shop, err := mockserver.Listen("127.0.0.1:0", mockserver.Options{
		Journal: mockserver.JournalOptions{Requests: -1}, Advice: mockserver.AdviceOff})
	if err != nil {
		return "", nil, err
	}
	return shop.URL(), shop.Close, nil
}

// mockProfile knows the reference shop's documented development credentials and demo seed.
func mockProfile(url string) profile.Profile {
	p := profile.New(url)
	p.Dialect = dialects.Neutral // the one in which defects are laid over it
	p.Credentials = profile.CredentialSet{
		ReadWrite: profile.Credentials{Key: "ck_mock_rw", Secret: "cs_mock_rw"},
		Read:      profile.Credentials{Key: "ck_mock_r", Secret: "cs_mock_r"},
		Write:     profile.Credentials{Key: "ck_mock_w", Secret: "cs_mock_w"},
		Revoked:   profile.Credentials{Key: "ck_mock_revoked", Secret: "cs_mock_revoked"},
		Login:     profile.Login{Username: "admin", Password: "password"},
	}
	p.Coupon = profile.Coupon{Code: "SAVE10", Type: "percent", Amount: "10"}
	p.PaymentMethods = []string{"bacs", "cheque", "cod"}
	p.FailingPayment = profile.FailingPayment{Method: "mockpay", Key: "result", Value: "decline"}
	p.Features = mockFeatures()
	return p
}

// mockFeatures turns on all there is: what is on cannot go missing without a failure.
func mockFeatures() map[string]string {
	features := map[string]string{}
	for _, f := range contract.Features() {
		features[f.Name] = "on"
	}
	return features
}
