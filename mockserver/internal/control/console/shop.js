// The shop: its records as tables. Prices, stock and statuses are changed in place, by the management API.

import { button, el, moment, notice, table } from "./dom.js";
import { call, get, inTurn, list } from "./api.js";

const perPage = 50;

// change writes a field of a record, and shows what the shop made of it.
const change = inTurn(async (collection, id, fields, redraw) => {
  try {
    await call("PUT", "shop/v3/" + collection + "/" + id, fields);
    notice("Changed.");
  } catch (error) {
    notice(error.message);
  }
  await redraw();
});

// field is an input that writes its value when the reader leaves it changed.
const field = (label, value, write, about = {}) => el("input", { value: value ?? "", "aria-label": label, change: (event) => write(event.target.value), ...about });
const choice = (label, value, values, write) => el("select", { "aria-label": label, change: (event) => write(event.target.value) },
  (values.includes(value) ? values : [value, ...values]).map((each) => el("option", { value: each, selected: each === value }, each)));

const orderStatuses = ["pending", "processing", "on-hold", "completed", "cancelled", "refunded", "failed"];
const productStatuses = ["draft", "pending", "private", "publish"];
const hasNoPrice = (product) => product.type === "variable" || product.type === "grouped";

// goods are the columns that products and variations have in common; called says what a row is called.
const goods = (collection, called, redraw) => {
  const write = (row, fields) => change(collection, row.id, fields, redraw);
  return [
    { title: "SKU", cell: (p) => el("code", {}, p.sku) },
    { title: "Regular price", cell: (p) => (hasNoPrice(p) ? p.price : field("Regular price of " + called(p), p.regular_price, (text) => write(p, { regular_price: text }))) },
    { title: "Sale price", cell: (p) => (hasNoPrice(p) ? "" : field("Sale price of " + called(p), p.sale_price, (text) => write(p, { sale_price: text }))) },
    { title: "Stock", cell: (p) => (p.manage_stock === true
      ? field("Stock of " + called(p), p.stock_quantity, (text) => write(p, { stock_quantity: Number(text) }), { type: "number" })
      : choice("Stock of " + called(p), p.stock_status, ["instock", "outofstock", "onbackorder"], (value) => write(p, { stock_status: value }))) },
    { title: "Status", cell: (p) => choice("Status of " + called(p), p.status, productStatuses, (value) => write(p, { status: value })) },
  ];
};
const optionsOf = (variation) => variation.attributes.map((attribute) => attribute.option).join(", ") || "any";

// Each tab says what it lists, and in which columns; redraw shows the table anew.
const tabs = {
  products: {
    collection: "products", search: true,
    columns: (redraw) => [
      { title: "Id", className: "number", cell: (p) => p.id },
      { title: "Name", cell: (p) => (p.type === "variable"
        ? el("span", {}, p.name + " ", el("a", { href: "#shop/variations/" + p.id }, p.variations.length + " variations")) : p.name) },
      ...goods("products", (p) => p.name, redraw),
    ],
  },
  variations: {
    title: async (id) => "Variations of " + (await get("shop/v3/products/" + encodeURIComponent(id))).name,
    of: (id) => "products/" + encodeURIComponent(id) + "/variations",
    columns: (redraw, collection) => [
      { title: "Id", className: "number", cell: (v) => v.id },
      { title: "Variation", cell: optionsOf },
      ...goods(collection, optionsOf, redraw),
    ],
  },
  orders: {
    collection: "orders", search: true,
    columns: (redraw) => [
      { title: "Id", className: "number", cell: (o) => o.id },
      { title: "Made", cell: (o) => moment(o.date_created_gmt + "Z") },
      { title: "Customer", cell: (o) => [o.billing.first_name, o.billing.last_name].join(" ").trim() || o.billing.email || "guest" },
      { title: "Items", cell: (o) => o.line_items.map((line) => line.quantity + " × " + line.name).join(", ") },
      { title: "Total", className: "number", cell: (o) => o.total + " " + o.currency },
      { title: "Status", cell: (o) => choice("Status of order " + o.id, o.status, orderStatuses, (value) => change("orders", o.id, { status: value }, redraw)) },
    ],
  },
  carts: {
    columns: () => [
      { title: "Id", className: "number", cell: (c) => c.id },
      { title: "Changed", cell: (c) => moment(c.updated_at) },
      { title: "Whose", cell: (c) => (c.customer_id ? "customer " + c.customer_id : "a guest") },
      { title: "Items", cell: (c) => el("div", {}, c.items.map((item) => el("div", {}, item.quantity + " × " + item.name + "  " + item.total)), c.errors.map((text) => el("div", { className: "bad" }, text))) },
      { title: "Coupons", cell: (c) => c.coupons.join(", ") },
      { title: "Total", className: "number", cell: (c) => c.total },
      { title: "Draft order", className: "number", cell: (c) => c.order_id || "" },
    ],
  },
  coupons: {
    collection: "coupons", search: true,
    columns: (redraw) => [
      { title: "Code", cell: (c) => el("code", {}, c.code) },
      { title: "Kind", cell: (c) => c.discount_type },
      { title: "Amount", cell: (c) => field("Amount of " + c.code, c.amount, (text) => change("coupons", c.id, { amount: text }, redraw)) },
      { title: "Used", className: "number", cell: (c) => c.usage_count + (c.usage_limit ? " of " + c.usage_limit : "") },
      { title: "Ends", cell: (c) => moment(c.date_expires_gmt && c.date_expires_gmt + "Z") },
    ],
  },
  customers: {
    collection: "customers", search: true,
    columns: () => [
      { title: "Id", className: "number", cell: (c) => c.id },
      { title: "Name", cell: (c) => [c.first_name, c.last_name].join(" ") },
      { title: "E-mail", cell: (c) => c.email },
      { title: "Login", cell: (c) => el("code", {}, c.username) },
      { title: "Since", cell: (c) => moment(c.date_created_gmt + "Z") },
      { title: "Has bought", cell: (c) => (c.is_paying_customer ? "yes" : "no") },
    ],
  },
};

export async function shop(main, [asked, id]) {
  const name = Object.hasOwn(tabs, asked) && (id || !tabs[asked].of) ? asked : "products";
  const tab = tabs[name];
  const collection = tab.of ? tab.of(id) : tab.collection;
  let page = 1;
  const body = el("div", {});
  const search = el("input", { type: "search", placeholder: "Search " + name, "aria-label": "Search " + name, hidden: !tab.search,
    change: () => { page = 1; draw(); } });
  main.append(el("h1", {}, tab.title ? await tab.title(id) : "Shop"),
    el("nav", { className: "sub", "aria-label": "Records" }, Object.keys(tabs).filter((each) => !tabs[each].of || each === name).map((each) => el("a", { href: "#shop/" + each + (tabs[each].of ? "/" + id : ""), ...(each === name && { "aria-current": "page" }) }, each))),
    el("div", { className: "row" }, search, button("Refresh", () => draw())), body);

  async function rowsOf() {
    if (!collection) return { rows: await get("carts"), total: null };
    const params = { per_page: perPage, page };
    if (search.value.trim()) params.search = search.value.trim();
    return list(collection, params);
  }

  const draw = inTurn(async () => {
    const { rows, total } = await rowsOf();
    body.replaceChildren(rows.length ? table(tab.columns(draw, collection), rows) : el("p", { className: "hint" }, "There are no " + name + " here."));
    if (total !== null && total > perPage) {
      const last = Math.ceil(total / perPage);
      const turn = (by) => { page += by; return draw(); };
      body.append(el("div", { className: "row" }, button("Back", () => turn(-1), { disabled: page <= 1 }), page + " of " + last + ", " + total + " " + name,
        button("On", () => turn(1), { disabled: page >= last })));
    }
  });

  await draw();
  // What an app changes shows by itself, but not under the hands of who types.
  let soon;
  return {
    onRequest(request) {
      if (request.method === "GET" || body.contains(document.activeElement)) return;
      clearTimeout(soon);
      soon = setTimeout(draw, 300);
    },
  };
}
