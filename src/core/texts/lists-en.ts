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
    'None of these jobs is in the list any more: they are being tried again, are done, or were removed.',
  'admin.failed.more_groups': 'The %count% largest groups are shown.',
  'admin.failed.advice.unavailable':
    'The service did not answer or was out of order. Try again when it works.',
  'admin.failed.advice.rate_limited':
    'The service takes no more calls from us for now. Wait a few minutes, then try again.',
  'admin.failed.advice.unauthorized':
    'The service refuses our key. Correct it in the settings, then try again.',
  'admin.failed.advice.rejected': 'The service refuses this. Correct what its message names, then try again.',
  'admin.failed.advice.not_found':
    'The service no longer knows what this is about. The page of the request says what helps.',
  'admin.failed.advice.recipient_refused':
    'The address does not work. Correct it on the page of the user; the mail is then sent again.',
  'admin.failed.advice.other':
    'This is no failure of an outside service. The log tells more about job %id%; try again when the cause is gone.',
  'admin.unknown.gone':
    'This document needs nobody any more: it has been settled, or it is known or over by now.',
  'admin.ask.unknown':
    'The signature provider has a document of ours that is unknown here: “%name%” (%sign%). %advice% When that is done, settle the case. The reason is kept in the history.',
  'admin.request.steps.one': '%count% detail',
  'admin.request.steps.other': '%count% details',
} as const;
