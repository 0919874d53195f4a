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
};
