// Package shop is the domain of the reference shop: catalogue, stock, carts, coupons, tax, shipping,
// checkout, orders and customers. It is pure: it knows no HTTP, no JSON and no wire names. Rows are
// immutable; every change happens inside one transaction (Shop.Write), which commits whole or
// leaves nothing behind. Time, ids and chance come from the transaction.
package shop
