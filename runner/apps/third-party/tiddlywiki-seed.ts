/** Every tiddler that is really there, not only those of plug-ins and not what the server makes of itself. */
export const EVERYTHING = '[all[tiddlers]!is[shadow]!plugin-type[plugin]!plugin-type[theme]]'

const note = (title: string, tags: string, text: string) => ({
  title,
  tags,
  text,
  created: '20260214091500000',
  modified: '20260214091500000',
})

/** The wiki of an allotment: what a new one holds. */
export const ALLOTMENT = [
  { title: '$:/SiteTitle', text: 'Allotment notes' },
  { title: '$:/SiteSubtitle', text: 'plot 14, by the railway' },
  { title: '$:/DefaultTiddlers', text: 'Welcome [[Broad beans]]' },
  // Lets the harness ask for all tiddlers; the server refuses filters that it was not told of.
  { title: `$:/config/Server/ExternalFilters/${EVERYTHING}`, text: 'yes' },
  note(
    'Welcome',
    '',
    'Notes of plot 14. Start with [[Broad beans]], [[Seed order]] or [[Compost]].',
  ),
  note('Broad beans', 'crop spring', 'Sown on 14 February below fleece, 20 cm apart.'),
  note('Compost', 'soil', 'Bay 2 was turned; bay 1 is ready for the potatoes.'),
  note('Seed order', 'planning', "* parsnip 'Gladiator'\n* beetroot 'Boltardy'"),
  note('Potatoes', 'crop planning', 'Chitting since 20 February in the shed.'),
]
