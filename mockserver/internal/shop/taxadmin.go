package shop

// What staff do with tax rates and tax classes.

import (
	"strings"

	"shopcheck/mockserver/internal/shop/pricing"
)

// StandardTaxClass is the slug under which the class "" goes.
const StandardTaxClass = "standard"

// ParentTaxClass is what a variation has for a tax class while it takes that of its product.
const ParentTaxClass = "parent"

// TaxClassNamed is the slug of the tax class that goes by a name or slug: "" for the standard one, ParentTaxClass for the one that is
// inherited.
func TaxClassNamed(name string) string {
	switch slug := Slugify(name); slug {
	case StandardTaxClass:
		return ""
	case pricing.InheritTaxClass:
		return ParentTaxClass
	default:
		return slug
	}
}

// settleTaxClass keeps the tax class by its slug. Only a variation has something to inherit one from.
func (p *Product) settleTaxClass() {
	if p.TaxClass = TaxClassNamed(p.TaxClass); p.TaxClass == ParentTaxClass && p.Type != Variation {
		p.TaxClass = ""
	}
}

// TaxRateByID finds a tax rate. Fault: NoSuchTaxRate.
func (v View) TaxRateByID(id int64) (*TaxRate, error) {
	if rate, known := v.TaxRates.Get(id); known {
		return rate, nil
	}
	return nil, Faultf(NoSuchTaxRate, "There is no tax rate %d.", id)
}

// Create returns a tax rate its id. Fault: InvalidParam.
func (r *TaxRate) Create(tx *Tx) error {
	if err := r.check(tx); err != nil {
		return err
	}
	return r.Add(tx)
}

// Save keeps a changed copy of a tax rate. Fault: InvalidParam.
func (r *TaxRate) Save(tx *Tx) error {
	if err := r.check(tx); err != nil {
		return err
	}
	r.Memo = new(Memo)
	return tx.TaxRates.Put(tx.rows, r)
}

// check checks the percentage and the class.
func (r *TaxRate) check(tx *Tx) error {
	if percent, ok := pricing.ParseAmount(r.Rate); r.Rate != "" && (!ok || percent.IsNegative()) {
		return invalidParam("rate", "The rate must be a percentage that is not negative.")
	}
	r.settle()
	if _, known := TaxClasses.Slug.Find(&tx.TaxClasses, r.Class); r.Class != "" && !known {
		return invalidParam("class", "There is no such tax class.")
	}
	return nil
}

// settle brings class and places into the form in which they are compared.
func (r *TaxRate) settle() {
	r.Class = TaxClassNamed(r.Class)
	r.Country, r.State = placeName(r.Country), placeName(r.State)
	r.Postcodes, r.Cities = placeNames(r.Postcodes), placeNames(r.Cities)
}

// everywhere stands for any country, state, city or postcode, as the empty text does.
const everywhere = "*"

// placeName is a place in the form in which places are compared, "" for everywhere.
func placeName(text string) string {
	if text = strings.ToUpper(strings.TrimSpace(text)); text == everywhere {
		return ""
	}
	return text
}

// placeNames are the places that a rate is limited to; none if one of them is everywhere. Empty texts are left out.
func placeNames(list []string) []string {
	var names []string
	for _, text := range list {
		if text = strings.ToUpper(strings.TrimSpace(text)); text == everywhere {
			return nil
		}
		if text != "" {
			names = append(names, text)
		}
	}
	return names
}

// Delete removes a tax rate.
func (r *TaxRate) Delete(tx *Tx) error {
	tx.TaxRates.Delete(tx.rows, r.ID)
	return nil
}

// TaxClassBySlug finds a tax class. Fault: NoSuchTaxClass.
func (v View) TaxClassBySlug(slug string) (*TaxClass, error) {
	if class, known := TaxClasses.Slug.Find(&v.TaxClasses, slug); known {
		return class, nil
	}
	return nil, Faultf(NoSuchTaxClass, "There is no tax class %q.", slug)
}

// Create returns a tax class its id and, when it has none, its slug. Faults: InvalidParam, TaxClassExists.
func (c *TaxClass) Create(tx *Tx) error {
	if c.Slug == "" {
		c.Slug = c.Name
	}
	if c.Slug = Slugify(c.Slug); c.Slug == "" {
		return invalidParam("name", "A tax class needs a name.")
	}
	if _, known := TaxClasses.Slug.Find(&tx.TaxClasses, c.Slug); known {
		return Faultf(TaxClassExists, "There is a tax class %q already.", c.Slug)
	}
	return c.Add(tx)
}

// Delete removes a tax class and its rates. The standard class stays: InvalidParam.
func (c *TaxClass) Delete(tx *Tx) error {
	if c.Slug == StandardTaxClass {
		return invalidParam("slug", "The standard tax class cannot be deleted.")
	}
	for _, rate := range collect(TaxRates.Class.Rows(&tx.TaxRates, c.Slug)) {
		tx.TaxRates.Delete(tx.rows, rate.ID)
	}
	tx.TaxClasses.Delete(tx.rows, c.ID)
	return nil
}
