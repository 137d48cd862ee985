package control

// The console at /_mock/: a page that shows and steers the shop by the API beside it, and what of that API only the page needs.

import (
	"embed"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gorilla/mux"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

//go:embed console
var consoleFiles embed.FS

func mountConsole(own *mux.Router, router *rest.Router, services ServicesOf) {
	own.Path(Root).Handler(rest.Methods{http.MethodGet: showConsole})
	own.Path(Root + "/console/{file}").Handler(rest.Methods{http.MethodGet: consoleFile})
	own.PathPrefix(Root + managementPath).HandlerFunc(services.run(func(s *Services, w http.ResponseWriter, r *http.Request) {
		s.manage(router, w, r)
	}))
}

func consoleCalls() []call {
	opened := object(rest.Param{Name: "url", Type: rest.String}, rest.Param{Name: "title", Type: rest.String},
		rest.Param{Name: "contract", Type: rest.String, Description: "Address of the contract document; empty: nobody said."},
		rest.Param{Name: "keys", Type: rest.Array, Items: rest.Described[credential]()},
		rest.Param{Name: "users", Type: rest.Array, Items: rest.Described[user]()})
	limit := rest.Param{Name: "limit", Type: rest.Integer, Default: 100, Min: rest.Bound(1), Max: rest.Bound(1000)}
	return []call{
		{rest.Operation{Method: http.MethodGet, Path: Root + "/credentials", Summary: "Show where the shop is and what opens it",
			Answer: opened}, (*Services).listCredentials},
		{rest.Operation{Method: http.MethodGet, Path: Root + "/carts", Summary: "List the carts, those that changed last first",
			Query: []rest.Param{limit}, Answer: &rest.Param{Type: rest.Array, Items: rest.Described[cart]()}}, (*Services).listCarts},
	}
}

// showConsole answers the page. Its links are relative, so that each sandbox has its own: they need the slash at the end.
func showConsole(w http.ResponseWriter, r *http.Request) {
	address, _, _ := strings.Cut(r.RequestURI, "?")
	if strings.HasSuffix(address, Root) {
		w.Header().Set("Location", strings.TrimPrefix(Root, "/")+"/")
		w.WriteHeader(http.StatusTemporaryRedirect)
		return
	}
	answerFile(w, "index.html")
}

func consoleFile(w http.ResponseWriter, r *http.Request) { answerFile(w, rest.CallOf(r).Path["file"]) }

// answerFile sends a file of the console. What runs in the page are these files alone, and it talks to this server alone.
func answerFile(w http.ResponseWriter, name string) {
	content, err := fs.ReadFile(consoleFiles, path.Join("console", name))
	if err != nil {
		rest.WriteError(w, rest.NoRoute())
		return
	}
	header := w.Header()
	header.Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	header.Set("Cache-Control", "no-cache")
	header.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "+
		"img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Content-Type-Options", "nosniff")
	w.Write(content) //nolint:errcheck // a client that went away is no fault of ours
}

// managementPath is what the addresses of the management API begin with.
const managementPath = "/shop/v3/"

// manage answers a call of the management API as who has a key that may do anything. It is for those who may use /_mock: the journal keeps
// nothing of it, and no fault is done to it.
func (s *Services) manage(router *rest.Router, w http.ResponseWriter, r *http.Request) {
	key, found := s.fullKey()
	if !found {
		rest.WriteError(w, noKey())
		return
	}
	inner, address := r.Clone(r.Context()), *r.URL
	bringKey(&address, key)
	address.Path, address.RawPath = strings.TrimPrefix(r.URL.Path, Root), strings.TrimPrefix(r.URL.RawPath, Root)
	inner.URL = &address
	inner.Header.Del("Authorization")
	rest.CallOf(r).Forward(router, w, inner, false)
}

// bringKey adds a key to an address.
func bringKey(address *url.URL, key *shop.APIKey) {
	query := address.Query()
	query.Set("consumer_key", key.Key)
	query.Set("consumer_secret", key.Secret)
	address.RawQuery = query.Encode()
}

func noKey() *rest.Error {
	return rest.Errorf(http.StatusConflict, "mock_no_key",
		"No API key of the shop may read and write: POST %s/reset brings those of the seed back.", Root)
}

func (s *Services) fullKey() (*shop.APIKey, bool) {
	view := s.Shop.Read()
	for key := range view.Keys.All() {
		if key.Permission == shop.ReadWrite && !key.Revoked {
			return key, true
		}
	}
	return nil, false
}

// credential is the wire form of an API key.
type credential struct {
	Key         string `json:"consumer_key"`
	Secret      string `json:"consumer_secret"`
	Permission  string `json:"permission"`
	Revoked     bool   `json:"revoked"`
	Description string `json:"description"`
}

// user is somebody who may sign in and is no customer.
type user struct {
	Login    string `json:"login"`
	Role     string `json:"role"`
	Password string `json:"password,omitempty"` // where it is that of the seeds
}

// seedPassword is what everybody's password is in the seeds. Of other passwords the shop knows no more than a hash.
const seedPassword = "password"

// listCredentials shows where the shop is and what opens it.
func (s *Services) listCredentials(w http.ResponseWriter, r *http.Request) {
	if paramsOf(r).refused(w) {
		return
	}
	view, keys, users := s.Shop.Read(), []credential{}, []user{}
	for key := range view.Keys.All() {
		keys = append(keys, credential{key.Key, key.Secret, string(key.Permission), key.Revoked, key.Description})
	}
	for customer := range view.Customers.All() {
		if customer.Role != shop.RoleCustomer {
			shown := user{Login: customer.Username, Role: customer.Role}
			if customer.HasPassword(seedPassword) {
				shown.Password = seedPassword
			}
			users = append(users, shown)
		}
	}
	rest.WriteJSON(w, http.StatusOK, rest.Pairs{
		{Name: "url", Value: rest.CallOf(r).Site.Home}, {Name: "title", Value: view.Config.Title}, {Name: "contract", Value: s.Contract},
		{Name: "keys", Value: keys}, {Name: "users", Value: users},
	})
}

// cart is the wire form of a cart: what is in it and what it costs, but not what opens it.
type cart struct {
	ID         int64      `json:"id"`
	CustomerID int64      `json:"customer_id"` // 0: a guest
	DraftID    int64      `json:"order_id"`    // of the draft order, 0 for none
	Items      []cartItem `json:"items"`
	Coupons    []string   `json:"coupons"`
	Count      int64      `json:"items_count"`
	Total      string     `json:"total"`
	Problems   []string   `json:"errors"`
	Updated    time.Time  `json:"updated_at"`
}

type cartItem struct {
	ProductID int64  `json:"product_id"`
	Name      string `json:"name"`
	Quantity  int64  `json:"quantity"`
	Total     string `json:"total"`
}

// listCarts shows the carts, those that changed last first; ?limit= leaves some of them.
func (s *Services) listCarts(w http.ResponseWriter, r *http.Request) {
	p := paramsOf(r)
	limit := p.number("limit", 100, 1, 1000)
	if p.refused(w) {
		return
	}
	view := rest.CallOf(r).View
	rows := slices.SortedFunc(view.Carts.All(), func(a, b *shop.Cart) int { return b.Updated.Compare(a.Updated) })
	list := []cart{}
	for _, row := range rows[:min(len(rows), int(limit))] {
		list = append(list, cartShown(view, row))
	}
	rest.WriteJSON(w, http.StatusOK, list)
}

func cartShown(view shop.View, row *shop.Cart) cart {
	quote := view.CartOf(shop.Shopper{Session: row.Session, CustomerID: row.CustomerID})
	amount := func(a shop.Amount) string { return a.StringFixed(view.Config.Decimals) }
	shown := cart{ID: row.ID, CustomerID: row.CustomerID, DraftID: row.DraftID, Count: quote.ItemsCount, Total: amount(quote.Totals.Total),
		Items: []cartItem{}, Coupons: append([]string{}, row.Coupons...), Problems: []string{}, Updated: row.Updated.UTC()}
	for _, item := range quote.Items {
		shown.Items = append(shown.Items, cartItem{item.Product.ID, item.FullName(), item.Quantity, amount(item.Total)})
	}
	for _, fault := range quote.Errors {
		shown.Problems = append(shown.Problems, fault.Error())
	}
	return shown
}
