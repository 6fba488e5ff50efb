package main

import (
	"context"
	"fmt"
	"log"
	"os"
	plateau "plateau"
	"time"
)

func main() {
	config := plateau.NewConfiguration()
	config.Servers = plateau.ServerConfigurations{{URL: os.Args[1]}}
	client := plateau.NewAPIClient(config)
	player, _, err := client.PlayersAPI.CreatePlayer(context.Background()).PlayerInput(*plateau.NewPlayerInput("Ada")).Execute()
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.WithValue(context.Background(), plateau.ContextAccessToken, player.Token)
	seats := []plateau.SeatInput{plateau.SeatForMeAsSeatInput(plateau.NewSeatForMe("me"))}
	for len(seats) < 6 {
		seats = append(seats, plateau.SeatForBotAsSeatInput(plateau.NewSeatForBot(plateau.BOTNAME_GREEDY)))
	}
	wish := plateau.NewPluteGameInput("plute", seats)
	points := int32(3)
	wish.Options = &plateau.PluteOptionsInput{WinAt: &points, LoseAt: &points}
	made, _, err := client.GamesAPI.CreateGame(ctx).GameInput(plateau.PluteGameInputAsGameInput(wish)).Execute()
	if err != nil {
		log.Fatal(err)
	}
	id, turns := made.PluteGameAtVersion.Id, 0
	for {
		shown, _, err := client.PlayAPI.ShowView(ctx, id).Execute()
		if err != nil {
			log.Fatal("view ", err, string(err.(*plateau.GenericOpenAPIError).Body()))
		}
		view := shown.PluteView
		if view.Game.Status != plateau.GAMESTATUS_ACTIVE {
			fmt.Println(id, turns, view.Game.Outcome.Get().Scores)
			return
		}
		if view.Decision == nil {
			time.Sleep(50 * time.Millisecond)
			continue
		}
		chosen := action(view.LegalActions.Actions[0])
		answer, _, err := client.PlayAPI.Act(ctx, id).Action(chosen).IfMatch(fmt.Sprintf("\"%d\"", view.Version)).Execute()
		_ = answer
		if err != nil {
			log.Fatal("act ", err)
		}
		turns++
	}
}

// action makes of a listed action one to post.
func action(listed plateau.PluteAction) plateau.Action {
	return plateau.Action{
		PluteBidAction: listed.PluteBidAction, PluteClaimAction: listed.PluteClaimAction,
		PlutePassAction: listed.PlutePassAction, PlutePlayAction: listed.PlutePlayAction,
	}
}
