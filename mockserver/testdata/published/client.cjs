// What an app does with the published client, unchanged, against the shop at SHOP: over http the client signs each request by OAuth 1.0a,
// over https it sends its key by Basic authentication. The client has no Store API; that part is what its documentation tells to fetch.
const assert = require("node:assert/strict");
const { default: WooCommerceRestApi } = require("@woocommerce/woocommerce-rest-api");

const shop = process.env.SHOP;
const api = new WooCommerceRestApi({ url: shop, consumerKey: "ck_mock_rw", consumerSecret: "cs_mock_rw", version: "wc/v3" });
const refusal = (call) => call.then((answer) => assert.fail(`${answer.status} instead of a refusal`), (error) => error.response);

async function products() {
  const made = await api.post("products", { name: "shop_rest_ mug", type: "simple", regular_price: "12.50", manage_stock: true, stock_quantity: 9 });
  assert.equal(made.status, 201);
  assert.equal(made.data.name, "shop_rest_ mug");
  assert.equal(made.headers.location, `${shop}/wp-json/wc/v3/products/${made.data.id}`);
  assert.equal(made.data._links.self[0].href, `${shop}/wp-json/wc/v3/products/${made.data.id}`);
  const changed = await api.put(`products/${made.data.id}`, { sale_price: "10.00" });
  assert.equal(changed.data.price, "10.00");
  const list = await api.get("products", { per_page: 5, search: "mug", include: [made.data.id, 1] });
  assert.ok(list.data.some((product) => product.id === made.data.id));
  assert.equal(Number(list.headers["x-wp-total"]) >= list.data.length, true);
  const first = await api.get("products", { per_page: 2, page: 1 });
  assert.match(first.headers.link, /<[^>]+\/wp-json\/wc\/v3\/products\?[^>]*page=2[^>]*>; rel="next"/);
  return made.data;
}

async function orders(product) {
  const made = await api.post("orders", {
    payment_method: "bacs", set_paid: true, billing: { first_name: "Ada", email: "ada@example.test" },
    line_items: [{ product_id: product.id, quantity: 2 }],
  });
  assert.equal((made.data.total - made.data.total_tax).toFixed(2), "20.00");
  assert.equal(made.data.status, "processing");
  const refund = await api.post(`orders/${made.data.id}/refunds`, { amount: "5.00", api_refund: false });
  assert.equal(refund.data.amount, "5.00");
  assert.equal((await api.get(`orders/${made.data.id}`)).data.refunds[0].total, "-5.00");
}

async function batch() {
  const answer = await api.post("products/batch", { create: [{ name: "One" }, { name: "Two" }], delete: [999999999] });
  assert.equal(answer.data.create.length, 2);
  assert.equal(answer.data.delete[0].error.code, "woocommerce_rest_product_invalid_id");
  const ids = answer.data.create.map((product) => product.id);
  await api.post("products/batch", { delete: ids });
  const gone = await refusal(api.get(`products/${ids[0]}`));
  assert.equal(gone.status, 404);
  assert.equal(gone.data.code, "woocommerce_rest_product_invalid_id");
}

async function keys() {
  const forged = new WooCommerceRestApi({ url: shop, consumerKey: "ck_mock_rw", consumerSecret: "cs_forged", version: "wc/v3" });
  const refused = await refusal(forged.get("products"));
  assert.equal(refused.status, 401);
  assert.match(refused.data.code, /^woocommerce_rest_/);
}

async function settings() {
  assert.equal((await api.get("settings/general/woocommerce_currency")).data.id, "woocommerce_currency");
  const webhook = await api.post("webhooks", { topic: "action.woocommerce_new_order", delivery_url: "http://127.0.0.1:9/" });
  assert.deepEqual(webhook.data.hooks, ["woocommerce_new_order"]);
  await api.delete(`webhooks/${webhook.data.id}`, { force: true });
}

async function purchase(product) {
  const visit = await fetch(`${shop}/wp-json/wc/store/v1/cart`);
  const token = visit.headers.get("cart-token");
  const post = async (path, body) => {
    const answer = await fetch(`${shop}/wp-json/wc/store/v1/${path}`, {
      method: "POST", headers: { "Content-Type": "application/json", "Cart-Token": token }, body: JSON.stringify(body),
    });
    return { status: answer.status, data: await answer.json() };
  };
  const unnamed = await fetch(`${shop}/wp-json/wc/store/v1/cart/add-item?id=${product.id}&quantity=1`, { method: "POST" });
  assert.equal((await unnamed.json()).code, "woocommerce_rest_missing_nonce");
  const added = await post("batch", { requests: [{ path: "/wc/store/v1/cart/add-item", method: "POST", body: { id: product.id, quantity: 1 } }] });
  assert.equal(added.data.responses[0].status, 201);
  const address = {
    first_name: "Ada", last_name: "Tester", address_1: "1 Test Street", city: "San Francisco", state: "CA", postcode: "94103", country: "US",
  };
  const placed = await post("checkout", {
    billing_address: { ...address, email: "ada@example.test", phone: "555-0100" }, shipping_address: address, payment_method: "cheque",
  });
  assert.equal(placed.status, 200, JSON.stringify(placed.data));
  assert.equal(placed.data.payment_result.payment_status, "success");
  const order = await api.get(`orders/${placed.data.order_id}`);
  assert.equal(order.data.status, "on-hold");
  assert.equal(order.data.line_items[0].product_id, product.id);
}

(async () => {
  const product = await products();
  await orders(product);
  await batch();
  await keys();
  await settings();
  await purchase(product);
  await api.delete(`products/${product.id}`, { force: true });
  console.log("done");
})().catch((error) => {
  console.error(error.stack, error.response?.status, JSON.stringify(error.response?.data)?.slice(0, 500));
  process.exitCode = 1;
});
