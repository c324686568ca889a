/** Adds up what a library gives back to its driver as text. `bytes` is null as long as it gave nothing back. */
export class ResultCount {
  bytes: number | null = null

  count(text: string): void {
    this.bytes = (this.bytes ?? 0) + Buffer.byteLength(text)
  }
}
