import type { Metadata } from 'next'
import { MissingNotice } from './missing-page.tsx'

export const metadata: Metadata = { title: 'Not found' }

/** Shown for addresses that no page has. Next draws it with every page, so it reads nothing. */
export default function NotFound() {
  return <MissingNotice near={[]} suite={null} />
}
