package shop

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"strings"
)

// HashPassword makes what is kept of a password: "salt$hash". One round of SHA-256 keeps the words themselves out of the
// state and costs a test server nothing; it would not do for real people's passwords.
func (tx *Tx) HashPassword(password string) string {
	salt := tx.Token(passwordSalt)
	return salt + "$" + saltedHash(salt, password)
}

const passwordSalt = 12

// generatedPassword is how long a password is that the shop makes.
const generatedPassword = 24

// MakePassword gives a customer a password that nobody knows, and the mark that live shops give who has one.
func (c *Customer) MakePassword(tx *Tx) {
	c.PasswordHash = tx.HashPassword(tx.Token(generatedPassword))
	c.Meta = append(c.Meta, Meta{ID: tx.NextMeta(), Key: "default_password_nag", Value: jsonText("1")})
}

// HasPassword reports whether the user signs in with the password. A user without a password takes as long to say no as any
// other.
func (c *Customer) HasPassword(password string) bool {
	salt, hash, _ := strings.Cut(c.PasswordHash, "$")
	return subtle.ConstantTimeCompare([]byte(hash), []byte(saltedHash(salt, password))) == 1
}

func saltedHash(salt, password string) string {
	sum := sha256.Sum256([]byte(salt + password))
	return hex.EncodeToString(sum[:])
}
