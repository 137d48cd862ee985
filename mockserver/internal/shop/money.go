package shop

import "shopcheck/mockserver/internal/shop/pricing"

// Amount is an exact decimal amount in currency units.
type Amount = pricing.Amount

// Zero is the amount nought.
var Zero = pricing.Zero
