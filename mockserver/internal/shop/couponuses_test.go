package shop

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// TestUsesOfOneVersionAreItsOwn adds uses to versions of a coupon and takes them back, each time from any version that there has been, as
// refused transactions and shops that begin with the same rows do: each version keeps its own uses.
func TestUsesOfOneVersionAreItsOwn(t *testing.T) {
	t.Parallel()
	type version struct {
		coupon *Coupon
		uses   []string
	}
	chance := rand.New(rand.NewPCG(1, 2))
	versions := []version{{coupon: new(Coupon)}}
	for range 2000 {
		from := versions[max(len(versions)-1-chance.IntN(3), 0)]
		next := version{new(*from.coupon), slices.Clone(from.uses)}
		if user := strconv.Itoa(chance.IntN(9)); chance.IntN(4) > 0 {
			next.coupon.addUses([]string{user})
			next.uses = append(next.uses, user)
		} else {
			next.coupon.takeBack(map[string]int{user: 1})
			if place := slices.Index(next.uses, user); place >= 0 {
				next.uses = slices.Delete(next.uses, place, place+1)
			}
		}
		versions = append(versions, next)
	}
	for i, version := range versions {
		if !slices.Equal(version.coupon.UsedBy, version.uses) {
			t.Fatalf("version %d is used by %v, want %v", i, version.coupon.UsedBy, version.uses)
		}
	}
}

// TestAddedUsesAreSeldomCopied counts the arrays that ten thousand uses, added one by one, were in.
func TestAddedUsesAreSeldomCopied(t *testing.T) {
	t.Parallel()
	arrays := map[*string]bool{}
	coupon := new(Coupon)
	for range 10_000 {
		coupon = new(*coupon)
		coupon.addUses([]string{"1"})
		arrays[&coupon.UsedBy[0]] = true
	}
	if coupon.UsageCount != 10_000 || len(arrays) > 50 {
		t.Errorf("%d uses were in %d arrays", coupon.UsageCount, len(arrays))
	}
}

// TestManyOrdersHandOverACouponAtOnce deletes a customer who has used a coupon three times: its row changes once.
func TestManyOrdersHandOverACouponAtOnce(t *testing.T) {
	s := newTestShop(t)
	ann := &Customer{Email: "ann@shop.example"}
	if err := tryWrite(s, ann.Create); err != nil {
		t.Fatal(err)
	}
	for _, email := range []string{"first@shop.example", "Second@shop.example", "first@shop.example"} {
		write(t, s, func(tx *Tx) (*Order, error) {
			order := tx.NewOrder()
			order.CustomerID, order.Status, order.Billing.Email = ann.ID, Processing, email
			edit := mugs(1)
			edit.Coupons = &[]string{"save10"}
			return order, order.Create(tx, edit)
		})
	}
	changes := write(t, s, func(tx *Tx) (changes int, err error) {
		err = ann.Delete(tx, 0)
		for _, change := range tx.rows.Changes() {
			if change.Table == "coupons" {
				changes++
			}
		}
		return changes, err
	})
	coupon, _ := s.Read().FindCoupon("save10")
	want := []string{"first@shop.example", "second@shop.example", "first@shop.example"}
	if changes != 1 || coupon.UsageCount != 3 || !slices.Equal(coupon.UsedBy, want) {
		t.Errorf("%d changes; used %d times by %v, want %v", changes, coupon.UsageCount, coupon.UsedBy, want)
	}
}
