package shop

// Settings: the e-mails. This shop sends none; clients that set them up find what they look for, and what they set is kept.

var emailSettings = []Setting{
	{Group: "email", ID: "shop_email_from_name", Type: TextSetting, Label: "Sender's name", Description: "Who e-mails come from."},
	{Group: "email", ID: "shop_email_from_address", Type: EmailSetting, Label: "Sender's address",
		Description: "Which address e-mails come from."},
	{Group: "email", ID: "shop_email_header_image", Type: TextSetting, Label: "Picture at the top", Description: "Address of a picture."},
	{Group: "email", ID: "shop_email_footer_text", Type: TextareaSetting, Label: "Text at the bottom",
		Description: "What stands below each e-mail."},
	{Group: "email", ID: "shop_email_base_color", Type: ColorSetting, Label: "Main colour",
		Description: "Colour of headings.", Default: "#2f4858"},
	{Group: "email", ID: "shop_email_background_color", Type: ColorSetting, Label: "Background",
		Description: "Colour around the text.", Default: "#f5f5f5"},
	{Group: "email", ID: "shop_email_body_background_color", Type: ColorSetting, Label: "Text background",
		Description: "Colour behind the text.", Default: "#ffffff"},
	{Group: "email", ID: "shop_email_text_color", Type: ColorSetting, Label: "Text",
		Description: "Colour of the text.", Default: "#333333"},
}

// mails are the e-mails that can be set up, each in a group of its own.
var mails = []struct {
	id, label, occasion string
	toStaff             bool
}{
	{"new_order", "New order", "An order came in.", true},
	{"cancelled_order", "Cancelled order", "An order was cancelled.", true},
	{"customer_cancelled_order", "Cancelled order, to the customer", "The customer's order was cancelled.", false},
	{"failed_order", "Failed order", "The payment of an order failed.", true},
	{"customer_failed_order", "Failed order, to the customer", "The payment of the customer's order failed.", false},
	{"customer_on_hold_order", "Order on hold", "The customer's order waits for confirmation.", false},
	{"customer_processing_order", "Order in preparation", "The customer's order is paid.", false},
	{"customer_completed_order", "Order completed", "The customer's order is on its way.", false},
	{"customer_refunded_order", "Order refunded", "Money went back to the customer.", false},
	{"customer_invoice", "Order details", "Staff send the details of an order.", false},
	{"customer_note", "Note", "Staff wrote a note to the customer.", false},
	{"customer_reset_password", "New password", "The customer asked for a new password.", false},
	{"customer_new_account", "New account", "The customer opened an account.", false},
	{"customer_pos_completed_order", "Order completed at the till", "The customer bought at the till.", false},
	{"customer_pos_refunded_order", "Order refunded at the till", "Money went back to the customer at the till.", false},
}

func mailGroups() []SettingGroup {
	var groups []SettingGroup
	for _, mail := range mails {
		groups = append(groups, SettingGroup{ID: "email_" + mail.id, Label: mail.label, Description: mail.occasion, ParentID: "email"})
	}
	return groups
}

var mailFormats = options("plain", "Plain text", "html", "HTML", "multipart", "Both")

func mailSettings() []Setting {
	var all []Setting
	for _, mail := range mails {
		group := "email_" + mail.id
		all = append(all, Setting{Group: group, ID: "enabled", Type: CheckboxSetting, Label: "Send it",
			Description: "Whether this e-mail is sent.", Default: yes})
		if mail.toStaff {
			all = append(all, Setting{Group: group, ID: "recipient", Type: TextSetting, Label: "Recipients",
				Description: "Who gets it, with commas."})
		}
		all = append(all,
			Setting{Group: group, ID: "subject", Type: TextSetting, Label: "Subject", Description: "Subject of the e-mail."},
			Setting{Group: group, ID: "heading", Type: TextSetting, Label: "Heading", Description: "First line of the e-mail."},
			Setting{Group: group, ID: "additional_content", Type: TextareaSetting, Label: "More text",
				Description: "What stands below the main part."},
			Setting{Group: group, ID: "email_type", Type: SelectSetting, Label: "Format",
				Description: "How the e-mail is written.", Default: "html", Options: mailFormats},
		)
	}
	return all
}
