package pages_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"shopcheck/mockserver/internal/shop"
)

func TestEveryPublishedProductHasAPage(t *testing.T) {
	t.Parallel()
	s := open(t)
	view := s.Read()
	seen := 0
	for p := range shop.Products.ByID.Ascend(&view.Products, nil, nil) {
		address := "/product/" + p.Slug + "/"
		if p.Status != shop.StatusPublish {
			s.shows(s.get(address), http.StatusNotFound)
			continue
		}
		seen++
		wanted := []string{p.Name}
		if p.Prices.Set {
			wanted = append(wanted, view.Config.Format(p.ShownPrices(view).Min))
		}
		if len(p.Images) > 0 {
			wanted = append(wanted, `src="`+home+p.Images[0].Src+`"`)
		}
		s.shows(s.get(address), http.StatusOK, wanted...)
	}
	if seen < 30 {
		t.Errorf("only %d products were seen", seen)
	}
	s.shows(s.get("/product/nope/"), http.StatusNotFound)
	s.shows(s.get("/product/a%20b%3Cc/"), http.StatusNotFound)
}

func TestEveryTermHasAPage(t *testing.T) {
	t.Parallel()
	s := open(t)
	view := s.Read()
	paths := map[string]string{
		shop.TaxonomyCategory: "/product-category/", shop.TaxonomyTag: "/product-tag/", shop.TaxonomyBrand: "/brand/",
	}
	seen := map[string]int{}
	for term := range shop.Terms.ByName.Ascend(&view.Terms, nil, nil) {
		path, has := paths[term.Taxonomy]
		if !has {
			continue
		}
		seen[term.Taxonomy]++
		address := path + term.Slug + "/"
		if parent, known := view.Terms.Get(term.ParentID); known {
			address = path + parent.Slug + "/" + term.Slug + "/"
		}
		s.shows(s.get(address), http.StatusOK, "<h1>"+term.Name+"</h1>")
	}
	for taxonomy, path := range paths {
		if seen[taxonomy] == 0 {
			t.Errorf("no term of %s was seen", taxonomy)
		}
		s.shows(s.get(path+"nope/"), http.StatusNotFound)
	}
	s.shows(s.get("/product-category/gifts/"), http.StatusOK, "Surprise Box", `href="`+home+`/product/surprise-box/"`)
}

func TestLongShelvesAreCut(t *testing.T) {
	t.Parallel()
	s := open(t)
	tag := &shop.Term{Taxonomy: shop.TaxonomyTag, Name: "Many"}
	s.Write(func(tx *shop.Tx) error {
		if err := tag.Create(tx); err != nil {
			return err
		}
		for i := range 150 {
			p := tx.NewProduct()
			p.Name, p.TagIDs = "Copy "+strconv.Itoa(i), []int64{tag.ID}
			if err := p.Create(tx); err != nil {
				return err
			}
		}
		return nil
	})
	a := s.get("/product-tag/many/")
	s.shows(a, http.StatusOK, "The first 100 of 150 products")
	if count := strings.Count(a.text, "<li>"); count != 100 {
		t.Errorf("%d products on the page", count)
	}
}

func TestFilesAreForThoseWhoPaid(t *testing.T) {
	t.Parallel()
	s := open(t)
	guide := s.product("DL-GUIDE")
	order := s.orders("DL-GUIDE", 1)
	link := func(change ...string) string {
		query := url.Values{
			"download_file": {strconv.FormatInt(guide.ID, 10)}, "order": {order.Key}, "email": {"ann@shopper.example"},
			"key": {guide.Extra().Downloads[0].ID},
		}
		for i := 0; i < len(change); i += 2 {
			query.Set(change[i], change[i+1])
		}
		return "/?" + query.Encode()
	}
	s.shows(s.get(link()), http.StatusNotFound)
	pay, received := addresses(order)
	s.leads(s.press(pay, "pay"), received)
	s.leads(s.get(link()), home+guide.Extra().Downloads[0].File)
	s.shows(s.get(received), http.StatusOK, `href="`+home+link()+`"`, guide.Extra().Downloads[0].Name)
	for _, wrong := range [][]string{{"email", "eve@shopper.example"}, {"order", "order_nope"}, {"key", "nope"}, {"download_file", "1"}} {
		s.shows(s.get(link(wrong...)), http.StatusNotFound)
	}
	s.Write(func(tx *shop.Tx) error {
		paid, err := tx.FindOrder(order.ID)
		if err != nil {
			return err
		}
		old := paid.Copy()
		longAgo := s.Clock.Now().AddDate(0, 0, -31)
		old.Paid = &longAgo
		return old.Save(tx, paid, shop.OrderEdit{})
	})
	s.shows(s.get(link()), http.StatusNotFound)
}

func TestFilesOfTheDemoShop(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, sku := range []string{"DL-GUIDE", "DL-SOUNDS", "DL-PATTERN"} {
		for _, file := range s.product(sku).Extra().Downloads {
			a := s.get(file.File)
			if a.Status != http.StatusOK || !strings.HasPrefix(a.Header.Get("Content-Disposition"), "attachment") ||
				!strings.Contains(a.text, file.Name) {
				t.Errorf("%s: %d %v %s", file.File, a.Status, a.Header, a.text)
			}
		}
	}
	s.shows(s.get("/downloads/nope.pdf"), http.StatusNotFound)
	if a := s.get("/downloads/..%2fpages.go"); a.Status != http.StatusNotFound {
		t.Errorf("a file outside: %d %s", a.Status, a.text)
	}
}
