type ProgressBarProps = { done: number; total: number; label: string }

/** How much of a known amount is done; the numbers stand beside it in words. */
export function ProgressBar({ done, total, label }: ProgressBarProps) {
  return (
    <progress
      aria-label={label}
      className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent motion-safe:[&::-webkit-progress-value]:transition-[width]"
      max={Math.max(total, 1)}
      value={done}
    />
  )
}
