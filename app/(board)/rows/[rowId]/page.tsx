import { notFound } from 'next/navigation'

export const dynamic = 'force-dynamic'

/** Permanent address of a row, for badges. proxy.ts redirects it to the row's current page if there is one. */
export default function RowPage() {
  return notFound()
}
