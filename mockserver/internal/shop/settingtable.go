package shop

// Settings: the declarations, group by group. Ids and options are those that clients of this API family know.

import "slices"

var settingGroups = slices.Concat([]SettingGroup{
	{ID: "general", Label: "General", Description: "Where the shop is, where it sells, and its currency."},
	{ID: "products", Label: "Products", Description: "Units, reviews, stock and downloads."},
	{ID: "tax", Label: "Tax", Description: "How taxes are worked out and shown."},
	{ID: "shipping", Label: "Shipping", Description: "Where parcels go. Zones and methods have resources of their own."},
	{ID: "checkout", Label: "Payments", Description: "How customers pay: the payment methods have a resource of their own."},
	{ID: "account", Label: "Accounts", Description: "Who may check out, and what is kept about customers."},
	{ID: "email", Label: "E-mails", Description: "How e-mails would look. This shop sends none: the values are kept."},
	{ID: "integration", Label: "Integrations", Description: "Other services that the shop works with: there are none."},
	{ID: "site-visibility", Label: "Site visibility", Description: "Whether the shop is open to visitors. The values are kept."},
	{ID: "point-of-sale", Label: "Point of sale", Description: "What stands on receipts. The values are kept."},
	{ID: "advanced", Label: "Advanced", Description: "Pages and features of a web site. The values are kept."},
}, mailGroups())

var settings = slices.Concat(generalSettings, placeSettings(), currencySettings, productSettings, stockSettings, downloadSettings,
	taxSettings, shippingSettings, accountSettings,
	emailSettings, visibilitySettings, posSettings, advancedSettings, mailSettings())

var generalSettings = []Setting{
	{Group: "general", ID: "shop_store_address", Type: TextSetting, Label: "Address, first line",
		Description: "Street and number of the shop.",
		kept:        textIn(func(c *Config) *string { return &c.Address1 })},
	{Group: "general", ID: "shop_store_address_2", Type: TextSetting, Label: "Address, second line",
		Description: "What else belongs to the address.",
		kept:        textIn(func(c *Config) *string { return &c.Address2 })},
	{Group: "general", ID: "shop_store_city", Type: TextSetting, Label: "City", Description: "City of the shop.",
		kept: textIn(func(c *Config) *string { return &c.City })},
	{Group: "general", ID: "shop_default_country", Type: SelectSetting, Label: "Country and state",
		Description: "Where the shop is: carts without an address are taxed as here.",
		Default:     "US:CA", Options: homeOptions, kept: homeIn},
	{Group: "general", ID: "shop_store_postcode", Type: TextSetting, Label: "Postcode", Description: "Postcode of the shop.",
		kept: textIn(func(c *Config) *string { return &c.Postcode })},
	{Group: "general", ID: "shop_default_customer_address", Type: SelectSetting, Label: "Place of a new customer",
		Description: "Which place is assumed before a customer gives one. Kept; the shop's own place is assumed.",
		Default:     "base",
		Options: options("", "None", "base", "The shop's", "geolocation", "By the network address", "geolocation_ajax",
			"By the network address, also behind a page cache")},
	{Group: "general", ID: "shop_calc_taxes", Type: CheckboxSetting, Label: "Taxes", Description: "Whether taxes are charged.",
		Default: no, kept: flagIn(func(c *Config) *bool { return &c.TaxesEnabled })},
	{Group: "general", ID: "shop_enable_coupons", Type: CheckboxSetting, Label: "Coupons", Description: "Whether coupons can be used.",
		Default: yes, kept: flagIn(func(c *Config) *bool { return &c.CouponsEnabled })},
	{Group: "general", ID: "shop_calc_discounts_sequentially", Type: CheckboxSetting, Label: "Coupons one after the other",
		Description: "Whether a later coupon takes its share of what earlier ones left.",
		Default:     no, kept: flagIn(func(c *Config) *bool { return &c.CouponsSequentially })},
}

// The settings of places, which settlePlaces reads.
var (
	allowedCountries = Setting{Group: "general", ID: "shop_allowed_countries", Type: SelectSetting, Label: "Countries that may buy",
		Description: "Where customers may live.",
		Default:     placesAll,
		Options:     options(placesAll, "All", placesAllBut, "All but some", placesSpecific, "Only some")}
	exceptCountries = Setting{Group: "general", ID: "shop_all_except_countries", Type: MultiselectSetting,
		Label:       "Countries that may not buy",
		Description: "Left out when all but some may buy.", Options: countryOptions}
	specificCountries = Setting{Group: "general", ID: "shop_specific_allowed_countries", Type: MultiselectSetting,
		Label:       "The countries that may buy",
		Description: "The only ones when only some may buy.", Options: countryOptions}
	shipToCountries = Setting{Group: "general", ID: "shop_ship_to_countries", Type: SelectSetting, Label: "Countries that are shipped to",
		Description: "Where parcels may go.",
		Options:     options("", "All that may buy", placesAll, "All", placesSpecific, "Only some", placesNone, "None: nothing is shipped")}
	specificShipping = Setting{Group: "general", ID: "shop_specific_ship_to_countries", Type: MultiselectSetting,
		Label:       "The countries that are shipped to",
		Description: "The only ones when only some are shipped to.", Options: countryOptions}
)

func placeSettings() []Setting {
	return []Setting{allowedCountries, exceptCountries, specificCountries, shipToCountries, specificShipping}
}

// mostDecimals bounds the decimals of amounts: more than any currency has.
const mostDecimals = 6

// longestSeparator bounds what stands between digits, in bytes.
const longestSeparator = 10

var currencySettings = []Setting{
	{Group: "general", ID: "shop_currency", Type: SelectSetting, Label: "Currency", Description: "What prices are in.",
		Default: "USD", Options: currencyOptions, kept: currencyIn},
	{Group: "general", ID: "shop_currency_pos", Type: SelectSetting, Label: "Place of the symbol",
		Description: "Where the currency symbol stands.",
		Default:     string(SymbolLeft), kept: textIn(func(c *Config) *CurrencyPosition { return &c.CurrencyPosition }),
		Options: options(string(SymbolLeft), "Before the amount", string(SymbolRight), "Behind the amount", string(SymbolLeftSpace),
			"Before the amount, with a space", string(SymbolRightSpace), "Behind the amount, with a space")},
	{Group: "general", ID: "shop_price_thousand_sep", Type: TextSetting, Label: "Thousands separator",
		Description: "What stands between groups of three digits.",
		Default:     ",", Max: longestSeparator, kept: textIn(func(c *Config) *string { return &c.ThousandSeparator })},
	{Group: "general", ID: "shop_price_decimal_sep", Type: TextSetting, Label: "Decimal separator",
		Description: "What stands before the decimals.",
		Default:     ".", Max: longestSeparator, kept: textIn(func(c *Config) *string { return &c.DecimalSeparator })},
	{Group: "general", ID: "shop_price_num_decimals", Type: NumberSetting, Label: "Decimals",
		Description: "How many decimals amounts are rounded to and shown with.",
		Default:     "2", Max: mostDecimals, kept: numberIn(func(c *Config) *int32 { return &c.Decimals })},
}

var productSettings = []Setting{
	{Group: "products", ID: "shop_shop_page_id", Type: SelectSetting, Label: "Page of the shop",
		Description: "Page of the web site that lists the products. This shop has no pages.",
		Options:     options("", "None")},
	{Group: "products", ID: "shop_cart_redirect_after_add", Type: CheckboxSetting, Label: "Go to the cart",
		Description: "Whether the page of the cart opens when something is put into it.", Default: no},
	{Group: "products", ID: "shop_enable_ajax_add_to_cart", Type: CheckboxSetting, Label: "Stay on the page",
		Description: "Whether a product goes into the cart without a new page.", Default: yes},
	{Group: "products", ID: "shop_placeholder_image", Type: TextSetting, Label: "Placeholder", Description: "Picture of what has none."},
	{Group: "products", ID: "shop_weight_unit", Type: SelectSetting, Label: "Unit of weight", Description: "What weights are in.",
		Default: "kg",
		Options: options("kg", "kg", "g", "g", "lbs", "lbs", "oz", "oz"),
		kept:    textIn(func(c *Config) *string { return &c.WeightUnit })},
	{Group: "products", ID: "shop_dimension_unit", Type: SelectSetting, Label: "Unit of length", Description: "What lengths are in.",
		Default: "cm",
		Options: options("m", "m", "cm", "cm", "mm", "mm", "in", "in", "yd", "yd"),
		kept:    textIn(func(c *Config) *string { return &c.DimensionUnit })},
	{Group: "products", ID: "shop_enable_reviews", Type: CheckboxSetting, Label: "Reviews", Description: "Whether customers see reviews.",
		Default: yes, kept: flagIn(func(c *Config) *bool { return &c.ReviewsEnabled })},
	{Group: "products", ID: "shop_review_rating_verification_label", Type: CheckboxSetting, Label: "Mark buyers",
		Description: "Whether reviews by buyers are marked.", Default: yes},
	{Group: "products", ID: "shop_review_rating_verification_required", Type: CheckboxSetting, Label: "Buyers only",
		Description: "Whether only buyers may review on the web site.", Default: no},
	{Group: "products", ID: "shop_enable_review_rating", Type: CheckboxSetting, Label: "Stars",
		Description: "Whether reviews on the web site have stars.", Default: yes},
	{Group: "products", ID: "shop_review_rating_required", Type: CheckboxSetting, Label: "Stars are required",
		Description: "Whether a review on the web site needs stars.", Default: yes},
}

var stockSettings = []Setting{
	{Group: "products", ID: "shop_manage_stock", Type: CheckboxSetting, Label: "Stock", Description: "Whether stock is counted at all.",
		Default: yes, kept: flagIn(func(c *Config) *bool { return &c.ManageStock })},
	{Group: "products", ID: "shop_hold_stock_minutes", Type: NumberSetting, Label: "Hold stock",
		Description: "Minutes for which an order that waits for payment keeps its stock.",
		Default:     "60", kept: numberIn(func(c *Config) *int64 { return &c.HoldStockMinutes })},
	{Group: "products", ID: "shop_notify_low_stock", Type: CheckboxSetting, Label: "Tell of low stock",
		Description: "Whether an e-mail tells of low stock.", Default: yes},
	{Group: "products", ID: "shop_notify_no_stock", Type: CheckboxSetting, Label: "Tell of sold-out products",
		Description: "Whether an e-mail tells of products that are sold out.", Default: yes},
	{Group: "products", ID: "shop_stock_email_recipient", Type: TextSetting, Label: "Recipients",
		Description: "Who is told of low stock, with commas."},
	{Group: "products", ID: "shop_notify_low_stock_amount", Type: NumberSetting, Label: "Low stock",
		Description: "From how many pieces on stock is low.",
		Default:     "2", kept: numberIn(func(c *Config) *int64 { return &c.LowStockThreshold })},
	{Group: "products", ID: "shop_notify_no_stock_amount", Type: NumberSetting, Label: "Out of stock",
		Description: "From how many pieces on a product counts as sold out.",
		Default:     "0", kept: numberIn(func(c *Config) *int64 { return &c.OutOfStockThreshold })},
	{Group: "products", ID: "shop_hide_out_of_stock_items", Type: CheckboxSetting, Label: "Hide what is sold out",
		Description: "Whether the store leaves sold-out products out.",
		Default:     no, kept: flagIn(func(c *Config) *bool { return &c.HideOutOfStock })},
	{Group: "products", ID: "shop_stock_format", Type: SelectSetting, Label: "Show stock",
		Description: "How the web site tells what is left.",
		Options:     options("", "Always the quantity", "low_amount", "The quantity when it is low", "no_amount", "Never the quantity")},
}

var downloadSettings = []Setting{
	{Group: "products", ID: "shop_file_download_method", Type: SelectSetting, Label: "Downloads",
		Description: "How files are handed out.", Default: "force",
		Options: options("force", "By the shop", "xsendfile", "By the web server", "redirect", "By a redirect")},
	{Group: "products", ID: "shop_downloads_redirect_fallback_allowed", Type: CheckboxSetting, Label: "Redirect as a last resort",
		Description: "Whether a redirect stands in when nothing else works.", Default: no},
	{Group: "products", ID: "shop_downloads_require_login", Type: CheckboxSetting, Label: "Downloads need a login",
		Description: "Whether guests cannot download.", Default: no},
	{Group: "products", ID: "shop_downloads_grant_access_after_payment", Type: CheckboxSetting, Label: "Downloads once paid",
		Description: "Whether files are open as soon as an order is processing.", Default: yes},
	{Group: "products", ID: "shop_downloads_deliver_inline", Type: CheckboxSetting, Label: "Open in the browser",
		Description: "Whether files open in the browser.", Default: no},
	{Group: "products", ID: "shop_downloads_add_hash_to_filename", Type: CheckboxSetting, Label: "Secret file names",
		Description: "Whether file names get a random part.", Default: yes},
	{Group: "products", ID: "shop_downloads_count_partial", Type: CheckboxSetting, Label: "Count partial downloads",
		Description: "Whether a part of a file counts as a download.", Default: yes},
}

var taxSettings = []Setting{
	{Group: "tax", ID: "shop_prices_include_tax", Type: RadioSetting, Label: "Prices are entered",
		Description: "Whether prices are kept with or without tax.", Default: no,
		Options: options(yes, "with tax", no, "without tax"),
		kept:    flagIn(func(c *Config) *bool { return &c.PricesIncludeTax })},
	{Group: "tax", ID: "shop_tax_based_on", Type: SelectSetting, Label: "Tax by",
		Description: "Which address decides the rate.", Default: string(TaxByShipping),
		Options: options(string(TaxByShipping), "Shipping address", string(TaxByBilling), "Billing address", string(TaxByShop),
			"The shop's address"),
		kept: textIn(func(c *Config) *TaxBase { return &c.TaxBasedOn })},
	{Group: "tax", ID: "shop_shipping_tax_class", Type: SelectSetting, Label: "Tax class of shipping",
		Description: "Which class shipping is taxed by.", Default: "inherit",
		Options: taxClassOptions, form: ShippingTaxClassNamed, kept: textIn(func(c *Config) *string { return &c.ShippingTaxClass })},
	{Group: "tax", ID: "shop_tax_round_at_subtotal", Type: CheckboxSetting, Label: "Round once",
		Description: "Whether taxes are rounded once for the whole order instead of by line.", Default: no,
		kept: flagIn(func(c *Config) *bool { return &c.TaxRoundAtSubtotal })},
	{Group: "tax", ID: "shop_tax_display_shop", Type: SelectSetting, Label: "Catalogue prices",
		Description: "Whether prices are shown with tax. Catalogue and cart are shown alike: this and shop_tax_display_cart are one.",
		Default:     "excl",
		Options:     taxDisplay, kept: shownWithTax},
	{Group: "tax", ID: "shop_tax_display_cart", Type: SelectSetting, Label: "Cart prices",
		Description: "Whether prices are shown with tax. Catalogue and cart are shown alike: this and shop_tax_display_shop are one.",
		Default:     "excl",
		Options:     taxDisplay, kept: shownWithTax},
	{Group: "tax", ID: "shop_price_display_suffix", Type: TextSetting, Label: "Text behind prices",
		Description: "What a web site writes behind prices."},
	{Group: "tax", ID: "shop_tax_total_display", Type: SelectSetting, Label: "Tax totals",
		Description: "How a web site shows the taxes of a cart.", Default: "itemized",
		Options: options("single", "As one sum", "itemized", "By rate")},
}

var (
	taxDisplay   = options("incl", "With tax", "excl", "Without tax")
	shownWithTax = choiceIn(func(c *Config) *bool { return &c.DisplayPricesWithTax }, "incl", "excl")
)

var shippingSettings = []Setting{
	{Group: "shipping", ID: "shop_enable_shipping_calc", Type: CheckboxSetting, Label: "Calculator",
		Description: "Whether the page of the cart can work out shipping.", Default: yes},
	{Group: "shipping", ID: "shop_shipping_cost_requires_address", Type: CheckboxSetting, Label: "Costs need an address",
		Description: "Whether costs stay hidden until there is an address.", Default: no},
	{Group: "shipping", ID: "shop_ship_to_destination", Type: RadioSetting, Label: "Usual destination",
		Description: "Which address a checkout page fills in first.", Default: "billing",
		Options: options("shipping", "Shipping address", "billing", "Billing address", "billing_only", "Billing address, always")},
	{Group: "shipping", ID: "shop_shipping_debug_mode", Type: CheckboxSetting, Label: "Show matching zones",
		Description: "Whether a web site shows which zone matched.", Default: no},
}

var accountSettings = []Setting{
	{Group: "account", ID: "shop_enable_guest_checkout", Type: CheckboxSetting, Label: "Guests",
		Description: "Whether customers may check out without an account.", Default: yes,
		kept: flagIn(func(c *Config) *bool { return &c.GuestCheckout })},
	{Group: "account", ID: "shop_enable_checkout_login_reminder", Type: CheckboxSetting, Label: "Offer a login",
		Description: "Whether a checkout page offers a login.", Default: no},
	{Group: "account", ID: "shop_enable_signup_and_login_from_checkout", Type: CheckboxSetting, Label: "Accounts at checkout",
		Description: "Whether customers may open an account at checkout.", Default: no,
		kept: flagIn(func(c *Config) *bool { return &c.AccountCreation })},
	{Group: "account", ID: "shop_enable_myaccount_registration", Type: CheckboxSetting, Label: "Accounts at any time",
		Description: "Whether visitors may open an account on the web site.", Default: no},
	{Group: "account", ID: "shop_registration_generate_username", Type: CheckboxSetting, Label: "User names",
		Description: "Whether the web site makes user names from e-mail addresses.", Default: yes},
	{Group: "account", ID: "shop_registration_generate_password", Type: CheckboxSetting, Label: "Passwords",
		Description: "Whether the web site lets new customers choose a password later.", Default: yes},
	{Group: "account", ID: "shop_erasure_request_removes_order_data", Type: CheckboxSetting, Label: "Erase orders",
		Description: "Whether a request for erasure covers orders.", Default: no},
	{Group: "account", ID: "shop_erasure_request_removes_download_data", Type: CheckboxSetting, Label: "Erase downloads",
		Description: "Whether a request for erasure covers downloads.", Default: no},
	{Group: "account", ID: "shop_allow_bulk_remove_personal_data", Type: CheckboxSetting, Label: "Erase in bulk",
		Description: "Whether personal data can be removed from many orders at once.", Default: no},
	{Group: "account", ID: "shop_registration_privacy_policy_text", Type: TextareaSetting, Label: "Privacy at registration",
		Description: "What a web site says about privacy to new customers."},
	{Group: "account", ID: "shop_checkout_privacy_policy_text", Type: TextareaSetting, Label: "Privacy at checkout",
		Description: "What a web site says about privacy at checkout."},
}

var visibilitySettings = []Setting{
	{Group: "site-visibility", ID: "shop_coming_soon", Type: CheckboxSetting, Label: "Coming soon",
		Description: "Whether visitors see that the shop opens later.", Default: no},
	{Group: "site-visibility", ID: "shop_store_pages_only", Type: CheckboxSetting, Label: "Pages of the shop only",
		Description: "Whether that holds for the shop's pages only.", Default: no},
	{Group: "site-visibility", ID: "shop_private_link", Type: CheckboxSetting, Label: "Private link",
		Description: "Whether a secret link opens the shop before.", Default: no},
}

var posSettings = []Setting{
	{Group: "point-of-sale", ID: "shop_pos_store_name", Type: TextSetting, Label: "Name", Description: "Name of the shop on receipts."},
	{Group: "point-of-sale", ID: "shop_pos_store_address", Type: TextareaSetting, Label: "Address",
		Description: "Address of the shop on receipts."},
	{Group: "point-of-sale", ID: "shop_pos_store_phone", Type: TextSetting, Label: "Phone", Description: "Phone number on receipts."},
	{Group: "point-of-sale", ID: "shop_pos_store_email", Type: EmailSetting, Label: "E-mail", Description: "E-mail address on receipts."},
	{Group: "point-of-sale", ID: "shop_pos_refund_returns_policy", Type: TextareaSetting, Label: "Refunds",
		Description: "What receipts say about refunds."},
}

var advancedSettings = []Setting{
	{Group: "advanced", ID: "shop_cart_page_id", Type: SelectSetting, Label: "Page of the cart",
		Description: "This shop has no pages.", Options: options("", "None")},
	{Group: "advanced", ID: "shop_checkout_page_id", Type: SelectSetting, Label: "Page of the checkout",
		Description: "This shop has no pages.", Options: options("", "None")},
	{Group: "advanced", ID: "shop_myaccount_page_id", Type: SelectSetting, Label: "Page of the account",
		Description: "This shop has no pages.", Options: options("", "None")},
	{Group: "advanced", ID: "shop_terms_page_id", Type: SelectSetting, Label: "Page of the terms",
		Description: "This shop has no pages.", Options: options("", "None")},
	{Group: "advanced", ID: "shop_force_ssl_checkout", Type: CheckboxSetting, Label: "Checkout over HTTPS",
		Description: "Whether a web site leads the checkout to HTTPS.", Default: no},
	{Group: "advanced", ID: "shop_checkout_pay_endpoint", Type: TextSetting, Label: "Address of paying",
		Description: "Last part of the address at which an order is paid.", Default: "order-pay"},
	{Group: "advanced", ID: "shop_checkout_order_received_endpoint", Type: TextSetting, Label: "Address of the thanks",
		Description: "Last part of the address that thanks for an order.", Default: "order-received"},
	{Group: "advanced", ID: "shop_myaccount_orders_endpoint", Type: TextSetting, Label: "Address of orders",
		Description: "Last part of the address of a customer's orders.", Default: "orders"},
	{Group: "advanced", ID: "shop_myaccount_downloads_endpoint", Type: TextSetting, Label: "Address of downloads",
		Description: "Last part of the address of a customer's downloads.", Default: "downloads"},
	{Group: "advanced", ID: "shop_logout_endpoint", Type: TextSetting, Label: "Address of logging out",
		Description: "Last part of the address that logs out.", Default: "customer-logout"},
	{Group: "advanced", ID: "shop_allow_tracking", Type: CheckboxSetting, Label: "Usage data",
		Description: "Whether usage data may be collected. This shop collects none.", Default: no},
	{Group: "advanced", ID: "shop_analytics_enabled", Type: CheckboxSetting, Label: "Analytics",
		Description: "Whether an admin page shows analytics.", Default: yes},
}
