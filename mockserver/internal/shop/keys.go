package shop

// AddKey adds an API key to the shop.
func (tx *Tx) AddKey(k *APIKey) error {
	k.ID = next(&tx.LastID.Key)
	return tx.Keys.Put(tx.rows, k)
}
