import { notFound } from 'next/navigation'

export const dynamic = 'force-dynamic'

/** A row's lasting address, for badges. proxy.ts redirects it to the row's current place where there is one. */
export default function RowPage() {
  return notFound()
}
