/** One column, if letters are so large that a card is only fourteen of them wide. */
const NARROW_CARD = '@max-[14rem]:grid-cols-1'

/**
 * Classes of a table whose rows are lines from a width on, and cards below it. Above cards, the headers that sort are
 * one line that scrolls; other headers are for screen readers.
 */
export const CARDS = {
  md: {
    table: 'block max-md:@container md:table',
    head: 'sr-only md:not-sr-only md:table-header-group',
    sortHead: 'block overflow-x-auto md:table-header-group md:overflow-visible',
    headRow: 'relative flex w-max min-w-full md:table-row',
    sortable:
      'max-md:flex max-md:w-auto! max-md:shrink-0 max-md:items-center max-md:whitespace-nowrap',
    unsortable: 'max-md:sr-only',
    sticky: 'md:sticky md:top-0 md:z-10',
    body: 'block md:table-row-group',
    row: `grid ${NARROW_CARD} md:table-row`,
    whole: 'block md:table-row',
    wholeCell: 'block md:table-cell',
    cell: 'card-md',
    numeric: 'md:text-right',
  },
  lg: {
    table: 'wide-table block max-lg:@container lg:table',
    head: 'sr-only lg:not-sr-only lg:table-header-group',
    sortHead: 'block overflow-x-auto lg:table-header-group lg:overflow-visible',
    headRow: 'relative flex w-max min-w-full lg:table-row',
    sortable:
      'max-lg:flex max-lg:w-auto! max-lg:shrink-0 max-lg:items-center max-lg:whitespace-nowrap',
    unsortable: 'max-lg:sr-only',
    sticky: 'lg:sticky lg:top-0 lg:z-10',
    body: 'block lg:table-row-group',
    row: `grid ${NARROW_CARD} lg:table-row`,
    whole: 'block lg:table-row',
    wholeCell: 'block lg:table-cell',
    cell: 'card-lg',
    numeric: 'lg:text-right',
  },
} as const

export type Cards = (typeof CARDS)[keyof typeof CARDS]
