package shop

import (
	"errors"
	"fmt"
)

// Fault is a rule of the shop that a request broke. What status and code it gets differs between the two
// APIs and is decided there, from its kind.
type Fault struct {
	Kind    Kind
	Message string            // one sentence for people
	ID      int64             // the record that is in the way: the holder of a SKU
	Params  map[string]string // field → what is wrong with it, "billing_address.email"
	Details map[string]string // step ("cart", "checkout") → the sentence as that step says it
}

// Error returns the sentence.
func (f *Fault) Error() string { return f.Message }

// Faultf makes a fault with a formatted sentence.
func Faultf(kind Kind, format string, args ...any) *Fault {
	return &Fault{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// asFault returns an error that is known to be a fault.
func asFault(err error) *Fault {
	var fault *Fault
	errors.As(err, &fault)
	return fault
}

// Kind names a rule of the shop.
type Kind int

// The kinds of faults. NotFound kinds come first.
const (
	NoSuchProduct Kind = iota + 1
	NoSuchVariation
	NoSuchOrder
	NoSuchDownload
	NoSuchCustomer
	NoSuchCoupon
	NoSuchTerm
	NoSuchTaxonomy
	NoSuchNote
	NoSuchRefund
	NoSuchReview
	NoSuchWebhook
	NoSuchTaxRate
	NoSuchTaxClass
	NoSuchZone
	NoSuchMethod
	NoSuchGateway
	NoSuchSetting
	NoSuchSettingGroup

	NameRequired     // a product needs a name
	SKUTaken         // ID: its holder
	SlugTaken        // ID: its holder
	TermExists       // ID: the term of that name
	MissingParent    // the parent term does not exist
	TaxonomyExists   // an attribute of that slug exists
	AlreadyTrashed   // a second delete without force
	TrashUnsupported // the resource has no trash
	InvalidParam     // Params says which and why
	ReadOnlyValue    // a value that never changes (a user name)
	EmailTaken
	ProtectedUser // an administrator, or the holder of the last key, is not deleted
	InvalidUsername
	UsernameTaken
	CodeTaken        // a coupon of that code exists
	NegativeDiscount // an amount of a coupon is below nought
	TaxClassExists
	ZoneFixed     // zone 0 cannot be changed
	UnknownMethod // a zone's method is of no known kind

	InvalidProduct   // a line item's or cart item's product does not exist or cannot be bought
	ProductReference // a line item names no product
	InvalidLine      // a line id that the order does not have
	NotEnoughStock
	InvalidCoupon    // the coupon does not exist or does not apply
	CouponNotApplied // removing one that the cart does not hold
	InvalidCustomer  // the order's customer does not exist
	InvalidItem      // a shipping, fee or refund line is incomplete
	InvalidAmount    // a refund over what is left
	BelowRefunded    // an order or a line would come to less than was refunded of it
	CannotPayBack    // the payment method of the order gives no money back
	InvalidQuantity

	NoSuchCartItem
	NoSuchRate // unknown shipping rate or package
	CartEmpty
	CartInvalid    // the cart holds items that cannot be bought now
	InvalidAddress // Params says which fields and why
	NoPaymentMethod
	PaymentUnavailable // the method is unknown, off, or not offered for this cart
	PaymentFailed
	ShippingRequired // needs shipping and none was chosen or none is available
	AccountRequired  // guests may not check out
	WrongOrderKey
	OtherCustomersOrder
	WrongBillingEmail
	NotPayable // the order has been paid, or is over

	ItemRemoved // a cart item is gone because its product can no longer be bought
	SoldOut     // a cart item's product is out of stock
	CartFull    // more lines than a cart may hold

	InvalidTopic       // a webhook's topic is not one of the known
	InvalidDeliveryURL // a webhook's address is not http or https

	NotKept // the change could not be written down, and was not made; it may be tried again later

	InvalidSetting  // a value that a setting does not take
	InvalidReview   // a review without a text
	DuplicateReview // the same words by the same person on the same product
)
