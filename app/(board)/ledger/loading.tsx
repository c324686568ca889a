import { LoadingLines } from '#components/ui/loading-lines.tsx'

export default function Loading() {
  return <LoadingLines lines={12} what="the ledger" />
}
