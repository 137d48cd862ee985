'use strict';
const make = (tag, name, ...inside) => {
  const node = document.createElement(tag);
  if (name) node.className = name;
  node.append(...inside);
  return node;
};
let described;

const resolve = schema => schema && schema.$ref ? {name: schema.$ref.split('/').pop(), ...schema.$ref.slice(2).split('/').reduce((at, key) => at[key], described)} : schema;

const typeOf = schema => [schema.type ?? 'anything'].flat().join(' or ');

const limits = schema => [
  schema.enum && 'one of ' + schema.enum.join(', '),
  schema.default !== undefined && 'usually ' + JSON.stringify(schema.default),
  schema.minimum !== undefined && 'at least ' + schema.minimum,
  schema.maximum !== undefined && 'at most ' + schema.maximum,
].filter(Boolean).join('; ');

function field(name, schema, required, depth) {
  schema = resolve(schema);
  const told = [typeOf(schema) + (required ? ', required' : ''), schema.description, limits(schema)].filter(Boolean).join(' – ');
  const line = make('li', '', make('code', '', name), ' ', make('span', 'about', told));
  if (depth < 4) line.append(fields(schema, depth + 1));
  return line;
}

function fields(schema, depth = 0) {
  schema = resolve(schema);
  const inner = schema.type === 'array' && schema.items ? resolve(schema.items) : schema;
  const list = Object.entries(inner.properties ?? {}).map(([name, s]) => field(name, s, inner.required?.includes(name), depth));
  return list.length ? make('ul', '', ...list) : '';
}

function body(title, content) {
  const [media, {schema}] = Object.entries(content)[0];
  const meant = resolve(schema), item = meant.items && resolve(meant.items);
  return [make('h3', '', `${title}: ${typeOf(meant)}${item ? ' of ' + (item.name ?? typeOf(item)) : ''}${media === 'application/json' ? '' : ' as ' + media}`), fields(schema)];
}

function curl(method, path, call) {
  const key = call.security?.some(way => way.key) ? ' -u ck_mock_rw:cs_mock_rw' : call.security ? ' -H "Cart-Token: $TOKEN"' : '';
  const sent = call.requestBody ? " --json '{}'" : '';
  return `curl -X ${method.toUpperCase()}${key}${sent} '${described.servers[0].url}${path}'`;
}

function inside(method, path, call) {
  const node = make('div', 'inside', make('pre', '', curl(method, path, call)));
  if (call.parameters) {
    node.append(make('h3', '', 'Parameters'), make('ul', '', ...call.parameters.map(p => field(p.name + (p.in === 'path' ? ' (path)' : ''), {description: p.description, ...p.schema}, p.required, 4))));
  }
  if (call.requestBody) node.append(...body('Sent', call.requestBody.content));
  for (const [status, answer] of Object.entries(call.responses)) {
    const meant = resolve(answer);
    node.append(...meant.content ? body(`Answer ${status}, ${meant.description}`, meant.content) : [make('h3', '', `Answer ${status}, ${meant.description}, without a body`)]);
  }
  return node;
}

function show() {
  const words = document.getElementById('filter').value.toLowerCase().split(/\s+/).filter(Boolean);
  const old = document.getElementById('old').checked, groups = new Map();
  let count = 0;
  for (const [path, methods] of Object.entries(described.paths)) {
    for (const [method, call] of Object.entries(methods)) {
      const text = `${method} ${path} ${call.summary} ${(call.parameters ?? []).map(p => p.name).join(' ')}`.toLowerCase();
      if (call.deprecated && !old || !words.every(word => text.includes(word))) continue;
      const node = make('details', call.deprecated ? 'old' : '', make('summary', '', make('code', 'method', method.toUpperCase()), make('code', 'address', path), make('span', 'about', call.summary)));
      node.addEventListener('toggle', () => node.children.length > 1 || node.append(inside(method, path, call)));
      groups.set(call.tags[0], [...groups.get(call.tags[0]) ?? [], node]);
      count++;
    }
  }
  document.getElementById('count').textContent = count === 1 ? '1 call' : `${count} calls`;
  document.getElementById('calls').replaceChildren(...[...groups].map(([tag, nodes]) => make('section', '', make('h2', '', tag), ...nodes)));
}

fetch('openapi.json').then(answer => answer.json()).then(document_ => {
  described = document_;
  document.getElementById('about').textContent = described.info.description;
  for (const id of ['filter', 'old']) document.getElementById(id).addEventListener('input', show);
  show();
}).catch(reason => { document.getElementById('about').textContent = 'openapi.json cannot be read: ' + reason; });
