import { LoadingLines } from '#components/ui/layout.tsx'

export default function Loading() {
  return <LoadingLines lines={8} what="runs" />
}
