package shop

// Add adds an API key to the shop.
func (k *APIKey) Add(tx *Tx) error {
	k.ID = next(&tx.LastID.Key)
	return tx.Keys.Put(tx.rows, k)
}
