import { LoadingLines } from '#components/ui/loading-lines.tsx'

export default function Loading() {
  return <LoadingLines lines={8} what="board" />
}
