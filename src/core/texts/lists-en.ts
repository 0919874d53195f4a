/** Words of the lists of the back office, in English. */
export const listsEn = {
  'admin.list.sort': 'Sort by',
  'admin.list.csv': 'Export as CSV',
  'admin.list.ignored': '“%value%” is not a possible value for “%name%”, so it was ignored.',
  'admin.list.no_page': 'There is no page “%page%”. This is the first.',
  'admin.list.last_page': 'There is no page %page%. This is the last.',
  'admin.list.order': 'Order',
  'admin.field.reference': 'Reference',
  'admin.waiting': 'waiting %span%',
  'admin.requests.no_owner': 'Nobody has the e-mail address or number “%owner%”.',
  'admin.requests.not_by_since':
    'A list with other filters than the status cannot be sorted by “Since”. The newest come first.',
  'admin.list.number': 'Number',
  'admin.inbox.none_fits': 'No event matches these filters.',
  'admin.deliveries.none_fits': 'No delivery matches these filters.',
} as const;
