import type { recordsEn } from './records-en.js';

/** The same words in French. */
export const recordsFr: Record<keyof typeof recordsEn, string> = {
  'timeline.request.changed_fields': 'Demande modifiée : %fields%',
  'timeline.equipment.created': 'Équipement %equipmentId% ajouté',
  'timeline.equipment.changed': 'Équipement %equipmentId% modifié',
  'timeline.equipment.deleted': 'Équipement %equipmentId% supprimé',
  'timeline.signatures.checked':
    'Toutes les signatures en attente vérifiées : %checked%, dont modifiées : %changed%',
  'timeline.contracts.expired': 'Contrats échus clos : %expired%',
  'timeline.user.created': 'Compte ouvert',
  'timeline.user.password_set': 'Mot de passe défini',
  'timeline.user.changed': 'Nom ou téléphone modifié',
  'timeline.user.changed_fields': 'Compte modifié : %fields%',
  'timeline.user.promoted': 'Nommé administrateur',
  'timeline.user.demoted': 'N’est plus administrateur',
  'timeline.user.enabled': 'Compte rouvert',
  'timeline.user.disabled': 'Compte fermé',
  'timeline.database.migrated': 'Base de données mise au schéma de cette version',
  'timeline.webhook.created': 'Webhook pour %event% créé, vers %url%',
  'timeline.webhook.changed': 'Webhook modifié',
  'timeline.webhook.changed_fields': 'Webhook modifié : %fields%',
  'timeline.webhook.deleted': 'Webhook pour %event% supprimé, il allait vers %url%',
  'timeline.webhook.disabled': 'Webhook désactivé',
  'timeline.webhook.disabled_failing':
    'Webhook désactivé, car son destinataire était toujours en échec : %error%',
  'timeline.webhook.enabled': 'Webhook réactivé',
  'timeline.webhook.pinged': 'Destinataire du webhook sollicité par un ping',
  'timeline.data.pruned': 'Données devenues inutiles supprimées',
  'timeline.data.restored': 'Données restaurées depuis %file%, sauvegarde du %madeAt%',
  'timeline.settings.reloaded': 'Nouveaux réglages pris en compte : %names%',

  'admin.nav.history': 'Historique',
  'admin.history.all': 'Qui a fait quoi, le plus récent d’abord',
  'admin.history.none': 'Rien de tel n’est consigné.',
  'admin.history.older': 'Entrées plus anciennes',
  'admin.history.by': 'Qui',
  'admin.history.about': 'Concernant',
  'admin.history.what': 'Quoi',
  'admin.history.any': 'Tout',
  'admin.history.since': 'Depuis',
  'admin.history.more': 'Tout l’historique',
  'admin.history.unknown': 'Rien ici ne porte le nom « %about% ».',
  'admin.history.about_hint': 'Référence, adresse e-mail, webhook:3 …',

  'admin.outcome.http': 'le destinataire a répondu %status%',
  'admin.outcome.webhook_disabled': 'non envoyée, le webhook est désactivé',
};
