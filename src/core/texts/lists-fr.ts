import type { listsEn } from './lists-en.js';

/** The same words in French. */
export const listsFr: Record<keyof typeof listsEn, string> = {
  'admin.list.sort': 'Trier par',
  'admin.list.csv': 'Exporter en CSV',
  'admin.list.ignored': '« %value% » n’est pas une valeur valable pour « %name% » et a été ignoré.',
  'admin.list.no_page': 'Il n’y a pas de page « %page% ». Voici la première page.',
  'admin.list.last_page': 'Il n’y a pas de page %page%. Voici la dernière page.',
  'admin.list.order': 'Ordre',
  'admin.field.reference': 'Référence',
  'admin.waiting': 'en attente depuis %span%',
  'admin.requests.no_owner': 'Aucun client n’a l’adresse e-mail ou le numéro « %owner% ».',
  'admin.requests.not_by_since':
    'Le résultat d’une recherche ne peut pas être trié par « Depuis ». Les demandes les plus récentes sont affichées d’abord.',
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
    'Ces tâches ne sont plus dans la liste : elles sont relancées, terminées ou supprimées.',
  'admin.failed.more_groups': 'Seuls les %count% groupes les plus grands sont affichés.',
  'admin.failed.advice.unavailable':
    'Le service n’a pas répondu ou était indisponible. Réessayez quand il fonctionne à nouveau.',
  'admin.failed.advice.rate_limited':
    'Le service limite nos requêtes. Attendez quelques minutes, puis réessayez.',
  'admin.failed.advice.unauthorized':
    'Le service refuse notre clé. Corrigez-la dans les paramètres, puis réessayez.',
  'admin.failed.advice.rejected':
    'Le service refuse cette opération. Corrigez ce qu’indique son message, puis réessayez.',
  'admin.failed.advice.not_found':
    'Le service ne connaît plus cet élément. La page de la demande indique que faire.',
  'admin.failed.advice.recipient_refused':
    'L’adresse ne fonctionne pas. Corrigez-la sur la page de l’utilisateur ; l’e-mail est alors renvoyé.',
  'admin.failed.advice.server_refused':
    'Le serveur de messagerie refuse tous nos messages. Voyez cela avec la personne qui le gère, puis réessayez.',
  'admin.failed.advice.too_large': 'Ce message est trop volumineux pour le serveur de messagerie.',
  'admin.failed.advice.other':
    'La cause n’est pas un service extérieur. Cherchez la tâche %id% dans le journal et réessayez une fois la cause corrigée.',
  'admin.unknown.gone':
    'Ce document ne demande plus rien : il a été réglé, est désormais connu ou a pris fin.',
  'admin.ask.unknown':
    'Le prestataire de signature a un document de cette installation qui n’est pas enregistré ici : « %name% » (%sign%). %advice% Une fois que c’est fait, réglez le cas. Le motif est conservé dans l’historique.',
  'admin.request.steps.one': '%count% détail',
  'admin.request.steps.other': '%count% détails',
};
