import type { ConsoleState, Customer } from './console-state.ts'

const PAGE_SIZE = 10
const ALPHABET = new Intl.Collator('en')
const SORTS: Record<string, (customer: Customer) => string | number> = {
  company: ({ company }) => company,
  city: ({ city }) => city,
  plan: ({ fee }) => fee,
  fee: ({ fee }) => fee,
  discount: ({ discount }) => discount,
  status: ({ status }) => status,
  renews: ({ renewsOn }) => renewsOn,
}

/** The page of the table that a query asks for: filtered, sorted, ten rows; a page that is not there is the last one. */
export function listCustomers({ customers }: ConsoleState, query: URLSearchParams) {
  const words = (query.get('q') ?? '').trim().toLowerCase()
  const found = customers.filter(
    (customer) =>
      has(query, 'status', customer.status) &&
      has(query, 'country', customer.country) &&
      has(query, 'plan', customer.plan) &&
      `${customer.company} ${customer.contact} ${customer.city} ${customer.id}`
        .toLowerCase()
        .includes(words),
  )
  const key = SORTS[query.get('sort') ?? 'company'] ?? (({ company }: Customer) => company)
  const direction = query.get('dir') === 'down' ? -1 : 1
  found.sort(
    (left, right) =>
      direction * compare(key(left), key(right)) || compare(left.company, right.company),
  )
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE))
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(query.get('page'))) || 1))
  const rows = found
    .slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
    .map(({ invoices: _invoices, notes: _notes, ...row }) => row)
  return { total: found.length, page, pages, rows }
}

function has(query: URLSearchParams, field: string, value: string) {
  const wanted = query.get(field)
  return wanted === null || wanted === '' || wanted === value
}

function compare(left: string | number, right: string | number) {
  return typeof left === 'number' && typeof right === 'number'
    ? left - right
    : ALPHABET.compare(String(left), String(right))
}
