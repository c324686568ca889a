import { LoadingLines } from '#components/ui/layout.tsx'

export default function Loading() {
  return <LoadingLines lines={12} what="the ledger" />
}
