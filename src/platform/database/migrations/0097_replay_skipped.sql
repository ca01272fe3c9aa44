-- Up Migration

alter table replay rename column left_alone to skipped;
