import type { Metadata } from 'next'
import { MissingNotice } from './missing-page.tsx'

export const metadata: Metadata = { title: 'Not found' }

/** Shown for addresses that no page has. */
export default function NotFound() {
  return <MissingNotice />
}
