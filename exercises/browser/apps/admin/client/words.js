const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** `2026-03-14` as `14 Mar 2026`. */
export function writeDay(day) {
  const [year, month, date] = day.split('-')
  return `${Number(date)} ${MONTHS[Number(month) - 1]} ${year}`
}

/** Cents as `1,234.50 EUR`. */
export function writeMoney(cents) {
  const [whole, part] = (cents / 100).toFixed(2).split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${part} EUR`
}

/** Says something for a few seconds; a screen reader hears it too. */
export function toast(text, kind = 'good') {
  const line = document.createElement('p')
  line.className = `toast ${kind}`
  line.textContent = text
  document.getElementById('toasts').append(line)
  setTimeout(() => line.remove(), 6000)
}
