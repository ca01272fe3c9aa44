-- Up Migration

-- A venue states what it asks its guests for, in the rules that a booking keeps. The guest pays the
-- venue, and the network charges none of it: there is nothing to store, to return or to dispute.
drop table deposit_dispute;
drop table deposit;
drop function check_deposit_move;
