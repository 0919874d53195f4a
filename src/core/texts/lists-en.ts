/** Words of the lists of the back office, in English. */
export const listsEn = {
  'admin.list.sort': 'Sort by',
  'admin.list.csv': 'Export as CSV',
  'admin.list.ignored': '“%value%” is not a valid value for “%name%” and was ignored.',
  'admin.list.no_page': 'There is no page “%page%”. This is the first page.',
  'admin.list.last_page': 'There is no page %page%. This is the last page.',
  'admin.list.order': 'Order',
  'admin.field.reference': 'Reference',
  'admin.waiting': 'waiting %span%',
  'admin.requests.no_owner': 'No customer has the e-mail address or number “%owner%”.',
  'admin.requests.not_by_since':
    'Search results cannot be sorted by “Since”. The newest requests are shown first.',
  'admin.list.number': 'Number',
  'admin.inbox.none_fits': 'No event matches these filters.',
  'admin.deliveries.none_fits': 'No delivery matches these filters.',
  'admin.field.error': 'Error',
  'admin.failed.none_fits': 'No failed job matches these filters.',
  'admin.failed.replay_all.one': 'Try again',
  'admin.failed.replay_all.other': 'Try all %count% again',
  'admin.failed.show.one': 'Show %count% job',
  'admin.failed.show.other': 'Show %count% jobs',
  'admin.failed.one_time': 'Failed',
  'admin.failed.oldest': 'Oldest',
  'admin.failed.newest': 'newest',
  'admin.failed.remove_ticked': 'Remove selected',
  'admin.failed.group_gone':
    'These jobs are no longer on the list: they are being retried, have completed or were removed.',
  'admin.failed.more_groups': 'The %count% largest groups are shown.',
  'admin.failed.advice.unavailable':
    'The service did not answer or was unavailable. Try again once it is back.',
  'admin.failed.advice.rate_limited':
    'The service is limiting our requests. Wait a few minutes, then try again.',
  'admin.failed.advice.unauthorized':
    'The service rejects our key. Correct it in the settings, then try again.',
  'admin.failed.advice.rejected': 'The service rejects this. Fix what its message names, then try again.',
  'admin.failed.advice.not_found': 'The service no longer has the record. The request page says what to do.',
  'admin.failed.advice.recipient_refused':
    'The address does not work. Correct it on the user’s page; the mail is then sent again.',
  'admin.failed.advice.server_refused':
    'The mail server refuses all mail from us. Sort this out with whoever runs it, then try again.',
  'admin.failed.advice.too_large': 'This mail is too large for the mail server.',
  'admin.failed.advice.other':
    'The cause is not an outside service. Look up job %id% in the log, and try again once the cause is fixed.',
  'admin.unknown.gone':
    'This document no longer needs attention: it has been settled, is known by now, or has ended.',
  'admin.ask.unknown':
    'The signature provider has a document of this installation that is not recorded here: “%name%” (%sign%). %advice% When that is done, settle the case. The reason is kept in the history.',
  'admin.request.steps.one': '%count% detail',
  'admin.request.steps.other': '%count% details',
} as const;
