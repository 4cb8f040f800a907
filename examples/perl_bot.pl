#!/usr/bin/env perl
# A bot in another language: plays the lowest legal combination, keeps bombs for last, never calls.
#
#     tichu bot-check examples/perl_bot.pl
#     tichu arena process:examples/perl_bot.pl random --deals 100

use strict;
use warnings;

$| = 1;    # Every answer goes out at once.

my ($seat, $hand);

while (my $line = <STDIN>) {
    chomp $line;
    my ($word, @rest) = split / /, $line;
    if    ($word eq 'tichu')  { print "name Pearl\nready\n" }
    elsif ($word eq 'seat')   { $seat = $rest[0] }
    elsif ($word eq 'view')   { $hand = (split m{/}, $rest[0])[$seat] }
    elsif ($word eq 'choose') { print 'act ', choose(@rest), "\n" }
    elsif ($word eq 'error')  { print STDERR "refused: @rest\n" }
    elsif ($word eq 'quit')   { last }
}

sub choose {
    my @options = grep { !/\+T$/ } @_;
    return gifts() if $options[0] =~ />$/;
    my @plays = sort { $a->{cost} <=> $b->{cost} } map { play($_) } grep { /^.:[^-]/ } @options;
    my @quiet = grep { !/^.:[^-]/ } @options;    # Pass, decline, take, wish: the last is the most modest.
    return $plays[0]{text} if @plays && (!$plays[0]{bomb} || !@quiet);
    return $quiet[-1];
}

# The three lowest cards without the specials: for LEFT, PARTNER, RIGHT.
sub gifts {
    my ($low, $middle, $high) = grep { !/Ma|Do|Ph|Dr/ } $hand =~ /../g;
    return "$seat>$low$high$middle";
}

# The lower its first card and the longer it is, the sooner a combination is played; bombs come last.
sub play {
    my ($text) = @_;
    my @cards = substr($text, 2) =~ /../g;
    my (%ranks, %suits);
    $ranks{ substr $_, 0, 1 }++, $suits{ substr $_, 1, 1 }++ for @cards;
    my $bomb = (@cards == 4 && keys %ranks == 1) || (@cards >= 5 && keys %suits == 1);
    my $rank = $cards[0] eq 'Ph' ? 15 : $cards[0] eq 'Dr' ? 16 : index 'DM23456789TJQKA', substr $cards[0], 0, 1;
    return { text => $text, bomb => $bomb, cost => ($bomb ? 1000 : 0) + 20 * $rank - @cards };
}
