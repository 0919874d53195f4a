import type { listsEn } from './lists-en.js';

/** The same words in French. */
export const listsFr: Record<keyof typeof listsEn, string> = {
  'admin.list.sort': 'Trier par',
  'admin.list.csv': 'Exporter en CSV',
  'admin.list.ignored': '« %value% » n’est pas une valeur possible pour « %name% » : elle est ignorée.',
  'admin.list.no_page': 'Il n’y a pas de page « %page% ». Voici la première.',
  'admin.list.last_page': 'Il n’y a pas de page %page%. Voici la dernière.',
  'admin.list.order': 'Ordre',
  'admin.field.reference': 'Référence',
  'admin.waiting': 'attend depuis %span%',
  'admin.requests.no_owner': 'Personne n’a l’adresse e-mail ou le numéro « %owner% ».',
  'admin.requests.not_by_since':
    'Une liste filtrée autrement que par l’état ne peut pas être triée par « Depuis ». Les plus récentes viennent d’abord.',
  'admin.list.number': 'Numéro',
  'admin.inbox.none_fits': 'Aucun événement ne correspond à ces filtres.',
  'admin.deliveries.none_fits': 'Aucune livraison ne correspond à ces filtres.',
  'admin.field.error': 'Erreur',
  'admin.failed.none_fits': 'Aucune tâche en échec ne correspond à ces filtres.',
  'admin.failed.replay_all.one': 'Réessayer',
  'admin.failed.replay_all.other': 'Réessayer les %count%',
  'admin.failed.show.one': 'Afficher %count% tâche',
  'admin.failed.show.other': 'Afficher %count% tâches',
  'admin.failed.one_time': 'En échec',
  'admin.failed.oldest': 'La plus ancienne',
  'admin.failed.newest': 'la plus récente',
  'admin.failed.remove_ticked': 'Supprimer la sélection',
  'admin.failed.group_gone':
    'Aucune de ces tâches n’est encore dans la liste : elles sont réessayées, terminées ou supprimées.',
  'admin.failed.more_groups': 'Les %count% groupes les plus grands sont affichés.',
  'admin.failed.advice.unavailable':
    'Le service n’a pas répondu ou était en panne. Réessayez quand il fonctionne.',
  'admin.failed.advice.rate_limited':
    'Le service n’accepte plus d’appels de notre part pour l’instant. Attendez quelques minutes, puis réessayez.',
  'admin.failed.advice.unauthorized':
    'Le service refuse notre clé. Corrigez-la dans les paramètres, puis réessayez.',
  'admin.failed.advice.rejected':
    'Le service refuse cette opération. Corrigez ce que son message indique, puis réessayez.',
  'admin.failed.advice.not_found':
    'Le service ne connaît plus ce dont il s’agit. La page de la demande indique que faire.',
  'admin.failed.advice.recipient_refused':
    'L’adresse ne fonctionne pas. Corrigez-la sur la page de l’utilisateur ; le courriel est alors renvoyé.',
  'admin.failed.advice.other':
    'Ce n’est pas l’échec d’un service extérieur. Le journal en dit plus sur la tâche %id% ; réessayez quand la cause a disparu.',
  'admin.unknown.gone':
    'Ce document ne demande plus rien : il a été réglé, ou il est désormais connu ou clos.',
  'admin.ask.unknown':
    'Le prestataire de signature a un document à nous, inconnu ici : « %name% » (%sign%). %advice% Une fois que c’est fait, réglez le cas. Le motif est conservé dans l’historique.',
  'admin.request.steps.one': '%count% détail',
  'admin.request.steps.other': '%count% détails',
};
